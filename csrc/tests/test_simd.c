/* The level of this processor against the flags in Linux. */
#include "baycarp/simd.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static int has(const char *flags, const char *flag) {
    char word[32];
    snprintf(word, sizeof word, " %s ", flag);
    return strstr(flags, word) != NULL;
}

int main(void) {
    static char line[1 << 14];
    FILE *file = fopen("/proc/cpuinfo", "r");
    enum bc_simd best = bc_simd_best();
    assert(BC_BASE <= best && best <= BC_AVX512);
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "flags", 5) != 0) continue;
        line[strcspn(line, "\n")] = ' ';
        int wide =
            has(line, "avx512f") && has(line, "avx512bw") && has(line, "avx512dq") && has(line, "avx512vl");
        assert(best == (wide ? BC_AVX512 : has(line, "avx2") ? BC_AVX2 : BC_BASE));
        break;
    }
    if (file) fclose(file);
    return 0;
}
