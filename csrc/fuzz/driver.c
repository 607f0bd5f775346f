/* Drives the harness where libFuzzer is not at hand (GCC): mutates inputs, and keeps those that reach new
   code.

       fuzz_kernels SECONDS [SEED]     fuzz for so much processor time; the input of a failure is written
                                       to ./failed-input
       fuzz_kernels FILE...            run these inputs once, each

   Coverage is what -fsanitize-coverage=trace-pc reports: pairs of places in the code
   that follow each other, counted in powers of two, in the manner of AFL. */
#include <ctype.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "baycarp/rng.h"

enum { LONGEST = 4096, KEPT = 8192, MAP = 1 << 14, HUNG = 120 /* seconds of processor time */ };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_cov_trace_pc(void);
void __sanitizer_set_death_callback(void (*callback)(void));

typedef struct {
    size_t size;
    uint8_t *bytes;
    clock_t took;
} input;

static uint8_t counts[MAP], seen[MAP]; /* of this input; bits of all inputs so far */
static input corpus[KEPT];
static int kept, places;
static uint8_t current[LONGEST];
static size_t current_size;

__attribute__((no_sanitize("address", "undefined"))) void __sanitizer_cov_trace_pc(void) {
    static uintptr_t before;
    const uintptr_t here = (uintptr_t)__builtin_return_address(0);
    const uintptr_t place = (here ^ here >> 16) & (MAP - 1);
    uint8_t *count = &counts[place ^ before];
    *count = (uint8_t)(*count + (*count < 255));
    before = place >> 1;
}

static void write_input(void) {
    FILE *file = fopen("failed-input", "wb");
    if (!file) return;
    fwrite(current, 1, current_size, file);
    fclose(file);
    fputs("the input is in ./failed-input\n", stderr);
}

static void fail(int signal_number) {
    write_input();
    fprintf(stderr, "signal %d%s\n", signal_number, signal_number == SIGPROF ? ": it hangs" : "");
    _exit(1);
}

/* Whether the last input went where none has been, or as often as none. */
__attribute__((no_sanitize("address", "undefined"))) static int is_news(void) {
    int news = 0;
    for (int i = 0; i < MAP; i++) {
        if (!counts[i]) continue;
        uint8_t bit = 1;
        for (int n = counts[i]; n > 1; n /= 2) bit = (uint8_t)(bit << 1);
        if (seen[i] & bit) continue;
        places += !seen[i];
        seen[i] |= bit;
        news = 1;
    }
    return news;
}

static void allow(long seconds) {
    const struct itimerval left = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &left, NULL);
}

static void run_current(void) {
    memset(counts, 0, sizeof counts);
    allow(HUNG);
    const clock_t began = clock();
    LLVMFuzzerTestOneInput(current, current_size);
    const clock_t took = clock() - began;
    allow(0);
    if (!is_news() || kept == KEPT) return;
    input *new = &corpus[kept++];
    new->size = current_size;
    new->took = took;
    new->bytes = malloc(current_size + 1);
    if (!new->bytes) abort();
    memcpy(new->bytes, current, current_size);
}

static size_t below(bc_rng *rng, size_t n) {
    return bc_rng_below(rng, (uint32_t)n);
}

/* Of some drawn the quickest, so that most of the time does not go to the few slow ones. */
static const input *draw(bc_rng *rng) {
    const input *best = &corpus[below(rng, (size_t)kept)];
    for (int i = 0; i < 2; i++) {
        const input *other = &corpus[below(rng, (size_t)kept)];
        if (other->took < best->took) best = other;
    }
    return best;
}

static void change(bc_rng *rng) {
    static const uint8_t telling[] = {0, 1, 2, 3, 4, 5, 51, 52, 127, 128, 254, 255};
    const size_t at = below(rng, current_size);
    const size_t run = 1 + below(rng, current_size - at < 32 ? current_size - at : 32);
    switch (below(rng, 6)) {
    case 0:
        current[at] ^= (uint8_t)(1 << below(rng, 8));
        break;
    case 1:
        current[at] = (uint8_t)bc_rng_next(rng);
        break;
    case 2:
        current[at] = telling[below(rng, sizeof telling)];
        break;
    case 3:
        current_size -= current_size > 1;
        break;
    case 4: /* a piece of it, elsewhere */
        memmove(current + below(rng, current_size - run + 1), current + at, run);
        break;
    default: /* a piece of another */
        if (kept) {
            const input *other = &corpus[below(rng, (size_t)kept)];
            const size_t n = other->size < LONGEST - at ? other->size : LONGEST - at;
            memcpy(current + at, other->bytes, n);
            if (at + n > current_size) current_size = at + n;
        }
    }
}

static void next_input(bc_rng *rng) {
    if (!kept || below(rng, 16) == 0) {
        current_size = 1 + below(rng, 256);
        for (size_t i = 0; i < current_size; i++) current[i] = (uint8_t)bc_rng_next(rng);
        return;
    }
    const input *from = draw(rng);
    memcpy(current, from->bytes, current_size = from->size);
    for (size_t changes = 1 + below(rng, 8); changes > 0; changes--) change(rng);
}

static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Counts processor time, so that a loaded machine does not shorten a run. */
static void fuzz(double seconds, uint64_t seed) {
    const double began = processor_seconds();
    double reported = 0;
    bc_rng rng;
    bc_rng_seed(&rng, seed);
    for (unsigned long long runs = 0;; runs++) {
        const double taken = processor_seconds() - began;
        const int over = taken >= seconds;
        if (over || taken - reported >= 60) {
            printf("%6.0f s %12llu inputs %6d kept %6d places\n", taken, runs, kept, places);
            fflush(stdout);
            reported = taken;
        }
        if (over) return;
        next_input(&rng);
        run_current();
    }
}

static int replay(const char *name) {
    FILE *file = fopen(name, "rb");
    if (!file) {
        perror(name);
        return 1;
    }
    current_size = fread(current, 1, LONGEST, file);
    fclose(file);
    run_current();
    printf("%s: clean\n", name);
    return 0;
}

int main(int argc, char **argv) {
    int failed = argc < 2;
    if (failed) fputs("usage: fuzz_kernels SECONDS [SEED] | FILE...\n", stderr);
    signal(SIGABRT, fail);
    signal(SIGPROF, fail);
    __sanitizer_set_death_callback(write_input);
    if (argc > 1 && isdigit((unsigned char)argv[1][0])) {
        fuzz(atof(argv[1]), argc > 2 ? strtoull(argv[2], NULL, 10) : 0);
        puts("clean");
    } else {
        for (int i = 1; i < argc; i++) failed |= replay(argv[i]);
    }
    for (int i = 0; i < kept; i++) free(corpus[i].bytes);
    return failed;
}
