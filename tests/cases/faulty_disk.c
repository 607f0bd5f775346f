/* A disk that fails: preload it, and the FAULT_AT-th call that writes, truncates or syncs a file whose path
   holds FAULT_FILE fails with FAULT_ERRNO, and so do all after it if FAULT_LASTS is set. With FAULT_AT = 0
   nothing fails. At the end the number of such calls is written to FAULT_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long calls;

static int fails(int fd) {
    char link[64], path[PATH_MAX];
    const char *wanted = getenv("FAULT_FILE");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!wanted || length < 0)
        return 0;
    path[length] = 0;
    if (!strstr(path, wanted))
        return 0;
    long at = atol(getenv("FAULT_AT")), now = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (!at || now < at || (now > at && !getenv("FAULT_LASTS")))
        return 0;
    errno = atoi(getenv("FAULT_ERRNO"));
    return 1;
}

#define REAL(name, ...) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))(__VA_ARGS__)

ssize_t write(int fd, const void *data, size_t size) {
    return fails(fd) ? -1 : REAL(write, fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    return fails(fd) ? -1 : REAL(pwrite, fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    return fails(fd) ? -1 : REAL(pwrite64, fd, data, size, at);
}

int fsync(int fd) {
    return fails(fd) ? -1 : REAL(fsync, fd);
}

int fdatasync(int fd) {
    return fails(fd) ? -1 : REAL(fdatasync, fd);
}

int ftruncate(int fd, off_t size) {
    return fails(fd) ? -1 : REAL(ftruncate, fd, size);
}

int ftruncate64(int fd, off64_t size) {
    return fails(fd) ? -1 : REAL(ftruncate64, fd, size);
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld", calls);
        fclose(file);
    }
}
