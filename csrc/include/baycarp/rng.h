/* A seeded random generator, always an explicit argument: xoshiro256** (Blackman and Vigna 2018), seeded by
 * splitmix64. */
#ifndef BAYCARP_RNG_H
#define BAYCARP_RNG_H

#include <stdint.h>

typedef struct {
    uint64_t s[4];
} bc_rng;

static inline void bc_rng_seed(bc_rng *rng, uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        rng->s[i] = z ^ (z >> 31);
    }
}

static inline uint64_t bc_rng_next(bc_rng *rng) {
    uint64_t *s = rng->s, x = s[1] * 5, t = s[1] << 17;
    uint64_t result = ((x << 7) | (x >> 57)) * 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* One of many generators of a seed: those of different numbers are independent. */
static inline void bc_rng_seed_numbered(bc_rng *rng, uint64_t seed, uint64_t number) {
    bc_rng_seed(rng, seed);
    bc_rng_seed(rng, bc_rng_next(rng) + number * 0xd1342543de82ef95u);
}

/* A double in [0, 1), 53 bits. */
static inline double bc_rng_unit(bc_rng *rng) {
    return (double)(bc_rng_next(rng) >> 11) * 0x1p-53;
}

/* An integer in [0, n), 0 < n < 2^32; exactly uniform (Lemire 2019, with rejection). */
static inline uint32_t bc_rng_below(bc_rng *rng, uint32_t n) {
    uint64_t m = (bc_rng_next(rng) >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t least = (uint32_t)(-n) % n;
        while ((uint32_t)m < least) m = (bc_rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(m >> 32);
}

/* The first place of low..high whose running sum is above a number; high, if no other one is. */
static inline int bc_first_above(const double *sums, int low, int high, double number) {
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sums[middle] > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* A random index of n weights with these running sums: the first sum above a uniform part of the total. */
static inline int bc_rng_index(bc_rng *rng, const double *sums, int n) {
    return bc_first_above(sums, 0, n - 1, bc_rng_unit(rng) * sums[n - 1]);
}

#endif
