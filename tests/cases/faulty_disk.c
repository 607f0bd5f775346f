/* A disk that fails: preload it, and the FAULT_AT-th call that writes, truncates or syncs a file whose path
   holds FAULT_FILE fails with FAULT_ERRNO, and so do all after it if FAULT_LASTS is set. With FAULT_AT = 0
   nothing fails. At the end the number of such calls is written to FAULT_COUNT. With FAULT_KILL the call does
   not fail: its process is killed, before it or after it; renames count too, and FAULT_COUNT has the number and
   the name of the last call so far. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long calls;

enum { WORKS, FAILS, KILLED_AFTER };

static void tell(const char *name) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld %s", calls, name);
        fclose(file);
    }
}

static int outcome(const char *name) {
    const char *kill_when = getenv("FAULT_KILL");
    long at = atol(getenv("FAULT_AT")), now = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (kill_when)
        tell(name);
    if (!at || now < at || (now > at && !getenv("FAULT_LASTS")))
        return WORKS;
    if (kill_when && !strcmp(kill_when, "after"))
        return KILLED_AFTER;
    if (kill_when)
        raise(SIGKILL);
    errno = atoi(getenv("FAULT_ERRNO"));
    return FAILS;
}

static int outcome_of(int fd, const char *name) {
    char link[64], path[PATH_MAX];
    const char *wanted = getenv("FAULT_FILE");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!wanted || length < 0)
        return WORKS;
    path[length] = 0;
    return strstr(path, wanted) ? outcome(name) : WORKS;
}

#define REAL(name, ...) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))(__VA_ARGS__)
#define CALL(type, is, name, ...)            \
    int found = is;                          \
    if (found == FAILS)                      \
        return -1;                           \
    type result = REAL(name, __VA_ARGS__);   \
    if (found == KILLED_AFTER)               \
        raise(SIGKILL);                      \
    return result

int rename(const char *from, const char *to) {
    const char *wanted = getenv("FAULT_FILE");
    int counts = wanted && getenv("FAULT_KILL") && strstr(to, wanted);
    CALL(int, counts ? outcome("rename") : WORKS, rename, from, to);
}

ssize_t write(int fd, const void *data, size_t size) {
    CALL(ssize_t, outcome_of(fd, "write"), write, fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    CALL(ssize_t, outcome_of(fd, "pwrite"), pwrite, fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    CALL(ssize_t, outcome_of(fd, "pwrite64"), pwrite64, fd, data, size, at);
}

int fsync(int fd) {
    CALL(int, outcome_of(fd, "fsync"), fsync, fd);
}

int fdatasync(int fd) {
    CALL(int, outcome_of(fd, "fdatasync"), fdatasync, fd);
}

int ftruncate(int fd, off_t size) {
    CALL(int, outcome_of(fd, "ftruncate"), ftruncate, fd, size);
}

int ftruncate64(int fd, off64_t size) {
    CALL(int, outcome_of(fd, "ftruncate64"), ftruncate64, fd, size);
}

__attribute__((destructor)) static void end(void) {
    tell("");
}
