/* Vectors for showdown_form.h: four suits, or two such rows in a register of eight. */
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are passed between inlined functions only */

#include <stdint.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

/* Four suits; and a mask of suits: all ones for a chosen suit, otherwise 0. */
typedef double four __attribute__((vector_size(32)));
typedef int64_t choice __attribute__((vector_size(32)));

static inline four load(const double *from) {
    four v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store(double *to, four v) {
    memcpy(to, &v, sizeof v);
}

static inline four only(four v, choice which) {
    return (four)((choice)v & which);
}

/* The chosen lanes of v, the other lanes of w. */
static inline four choose(four v, four w, choice which) {
    return (four)(((choice)v & which) | ((choice)w & ~which));
}

static inline double sum_of(four v) {
    return (v[0] + v[1]) + (v[2] + v[3]);
}

static inline four greater(four v, four w) {
#ifdef __AVX2__
    return (four)_mm256_max_pd((__m256d)v, (__m256d)w);
#else
    return (four)((choice)only(v, v > w) | (choice)only(w, v <= w));
#endif
}

/* The sum of each row of a block of four rows of four. */
static inline four sum_rows(const double *block) {
#ifdef __AVX2__
    const __m256d a = _mm256_hadd_pd((__m256d)load(block), (__m256d)load(block + 4));
    const __m256d b = _mm256_hadd_pd((__m256d)load(block + 8), (__m256d)load(block + 12));
    return (four)_mm256_permute2f128_pd(a, b, 0x21) + (four)_mm256_blend_pd(a, b, 12);
#else
    return (four){sum_of(load(block)), sum_of(load(block + 4)), sum_of(load(block + 8)),
                  sum_of(load(block + 12))};
#endif
}

/* The cells of a block in one register, from the i-th on. */
#ifdef __AVX512F__
enum { WIDE = 8 };
typedef double wide __attribute__((vector_size(64)));
typedef int64_t wide_choice __attribute__((vector_size(64)));

static inline wide load_wide(const double *from) {
    wide v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store_wide(double *to, wide v) {
    memcpy(to, &v, sizeof v);
}

static inline wide choose_wide(wide v, wide w, wide_choice which) {
    return (wide)(((wide_choice)v & which) | ((wide_choice)w & ~which));
}

/* Each row's number in all of the row. */
static inline wide by_row(four v, int i) {
    const __m512i row = _mm512_add_epi64(_mm512_set_epi64(1, 1, 1, 1, 0, 0, 0, 0), _mm512_set1_epi64(i / 4));
    return (wide)_mm512_permutexvar_pd(row, _mm512_castpd256_pd512((__m256d)v));
}

/* Each column's number in all of the column. */
static inline wide by_column(four v) {
    return (wide)_mm512_broadcast_f64x4((__m256d)v);
}

/* v / w, in a third of the time of a division.

   After two Newton steps from 14 bits the relative error of the reciprocal is at most 1.125 * 2^-53, that of
   the quotient 1.625 units in the last place; the remainder is computed exactly and divided again, with an
   error of 1.83 * 2^-53 such units before rounding. For integers v and w with w below 2^51, no quotient is
   that close to the midpoint of two numbers without being exact: the result is rounded as by a division. */
static inline wide ratio(wide v, wide w) {
    const __m512d one = _mm512_set1_pd(1), x = (__m512d)v, y = (__m512d)w;
    __m512d r = _mm512_rcp14_pd(y);
    r = _mm512_fmadd_pd(_mm512_fnmadd_pd(y, r, one), r, r);
    r = _mm512_fmadd_pd(_mm512_fnmadd_pd(y, r, one), r, r);
    const __m512d q = _mm512_mul_pd(x, r);
    return (wide)_mm512_fmadd_pd(_mm512_fnmadd_pd(y, q, x), r, q);
}

/* v + times * w, if both operations are exact. */
static inline wide add_times(wide v, double times, wide w) {
    return (wide)_mm512_fmadd_pd(_mm512_set1_pd(times), (__m512d)w, (__m512d)v);
}
#else
enum { WIDE = 4 };
typedef four wide;
typedef choice wide_choice;
#define load_wide load
#define store_wide store
#define choose_wide choose

static inline wide by_row(four v, int i) {
    const double x = v[i / 4];
    return (four){x, x, x, x};
}

static inline wide by_column(four v) {
    return v;
}

static inline wide ratio(wide v, wide w) {
    return v / w;
}

static inline wide add_times(wide v, double times, wide w) {
    return v + times * w;
}
#endif

typedef int32_t sixteen __attribute__((vector_size(64)));

static inline wide_choice load_choice(const choice *from) {
    wide_choice which;
    memcpy(&which, from, sizeof which);
    return which;
}

static inline wide_choice by_row_choice(choice v, int i) {
    return (wide_choice)by_row((four)v, i);
}

static inline wide_choice by_column_choice(choice v) {
    return (wide_choice)by_column((four)v);
}

static inline wide only_wide(wide v, wide_choice which) {
    return (wide)((wide_choice)v & which);
}

/* One suit of the columns of a block. */
static inline four read_column(const double *cell) {
    return (four){cell[0], cell[4], cell[8], cell[12]};
}

/* All suits but one. */
static inline choice off_suit(int64_t suit) {
    return (choice){0, 1, 2, 3} != suit - (choice){0};
}

enum { NO_KEY = INT32_MAX }; /* after the last key */

/* Sort n different keys: the place of a key is the number of lower keys. Arrays have room to the next 16. */
static inline void sort(const int32_t *keys, int n, int32_t *sorted) {
    for (int i = 0; i < n; i += 16) {
        sixteen key, lower = {0};
        memcpy(&key, keys + i, sizeof key);
        for (int j = 0; j < n; j++) lower -= keys[j] < key;
        for (int j = i; j < n && j < i + 16; j++) sorted[lower[j - i]] = keys[j];
    }
    sorted[n] = NO_KEY;
}
