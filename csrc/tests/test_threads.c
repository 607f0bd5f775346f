/* Kernels on several threads, with a shared plan and tables and separate output: every thread has the result
   of a single thread. Built with ThreadSanitizer (BAYCARP_SANITIZE=thread), a data race fails the test. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "baycarp/eliminate.h"
#include "baycarp/equity.h"
#include "baycarp/preflop.h"
#include "baycarp/rank.h"
#include "baycarp/runout.h"
#include "baycarp/sample.h"
#include "baycarp/share.h"
#include "baycarp/similarity.h"
#include "baycarp/strength.h"
#include "baycarp/sweep.h"
#include "chain.h"
#include "spot_game.h"

enum { THREADS = 4, ROWS = 96 };

/* Read by all threads. */
static double weights[BC_HOLDINGS], sums[2][BC_HOLDINGS];
static float numbers[ROWS];
static uint8_t codes[ROWS];
static const uint8_t CARDS[] = {50, 45, 43, 20, 0, 7, 8};

typedef struct {
    double hs, mean, square, share, shared_square, won, lead, probability, answer[3], sampled[2], squares[2],
        similarity[8], sweep[BC_HOLDINGS];
    int64_t portions[2], rows[8];
    uint16_t rank;
} answers;

static void eliminate(answers *a) {
    const bc_slice slices[] = {{0, 1}, {0, 3}};
    const bc_factor factors[] = {
        {.memory = BC_TABLES, .first = 0, .slices_from = 0, .slices = 1},
        {.memory = BC_TABLES, .first = 2, .slices_from = 1, .slices = 1, .stride = {0, 1}}};
    const bc_step step = {
        .loops = 2, .factors = 2, .settled = {1, 1}, .length = {1, 3}, .stride = {0, 1}, .size = 3};
    const bc_answer answer = {0, 3};
    bc_plan plan = one_step(TABLES, &step, factors, &answer);
    plan.slices = slices;
    plan.observed = 1;
    double messages[3];
    a->probability =
        bc_eliminate(bc_simd_best(), &plan, (bc_evidence){.states = (int32_t[]){1}}, messages, a->answer);
}

static void retrieve(answers *a) {
    const double weight[] = {2, 1}, decay[] = {0}, most[] = {10}, tables[BC_STATES] = {1, 0.5};
    const bc_measure measure = {1, 1, weight, decay, most, 3, 0};
    const float asked = 3;
    const bc_query query = {&asked, tables, NULL};
    const bc_rows rows = {ROWS, ROWS, numbers, codes, NULL, NULL};
    double similarity[8];
    int64_t row[8];
    bc_found found = {0.1, 8, 0, similarity, row, 0, NULL};
    bc_similar_scan(bc_simd_best(), &measure, &query, &rows, 0, ROWS, &found);
    assert(found.count == 8);
    bc_similar_sort(&found, a->similarity, a->rows);
}

static void *answer(void *to) {
    answers *a = memset(to, 0, sizeof *a);
    bc_rng rng;
    bc_standings standings;
    bc_shares shares = {0, 0};
    const bc_runout run = {
        .holes = CARDS, .players = 2, .board = {8, 9, 30}, .shown = 3, .sets = (uint16_t[]){3}, .count = 1};
    const bc_sample sample = {.sums = sums[0], .players = 2};
    bc_rng_seed(&rng, 7);
    assert(bc_strength(bc_simd_best(), CARDS, CARDS + 2, 3, 2, weights, &standings));
    a->hs = bc_hs(&standings);
    bc_expected_strength(bc_simd_best(), CARDS, CARDS + 2, 3, &a->mean, &a->square);
    bc_sweep(bc_simd_best(), CARDS + 2, 5, weights, a->sweep);
    bc_equity(bc_simd_best(), weights, weights, CARDS + 2, 5, -1, NULL, &shares);
    a->won = shares.won;
    a->lead = bc_preflop_equity(weights, weights).lead;
    bc_share(&rng, CARDS, 3, 500, NULL, &a->share, &a->shared_square);
    assert(bc_sample_equity(&rng, &sample, 200, a->sampled, a->squares) == 200);
    bc_runout_exact(&run, a->portions);
    a->rank = bc_rank_cards(CARDS, 7);
    eliminate(a);
    retrieve(a);
    return NULL;
}

/* A spot on several threads has the tables of one thread. */
typedef struct {
    bc_spot_solver *solver;
    int worker;
} part;

static void *run_part(void *of) {
    const part *p = of;
    bc_spot_run(bc_simd_best(), p->solver, p->worker, NULL);
    return NULL;
}

static void solve_together(bc_spot_solver *s, int iterations) {
    pthread_t threads[THREADS];
    part parts[THREADS];
    const bc_spot_weights weights = {1.5, 0, 4, 0, 3};
    bc_spot_begin(s, iterations, &weights);
    for (int i = 0; i < game.threads; i++) {
        parts[i] = (part){s, i};
        assert(!pthread_create(&threads[i], NULL, run_part, &parts[i]));
    }
    for (int i = 0; i < game.threads; i++) pthread_join(threads[i], NULL);
}

static void spots_have_the_bits_of_one_thread(void) {
    bc_spot_solver *found[2];
    bc_rng_seed(&rng, 4);
    set_spot(4, MANY, 2);
    for (int i = 0; i < 2; i++) {
        game.threads = i ? THREADS : 1;
        found[i] = make();
        solve_together(found[i], 9);
    }
    const bc_spot_tables alone = bc_spot_tables_of(found[0]), together = bc_spot_tables_of(found[1]);
    assert(!memcmp(alone.regret, together.regret, alone.cells * sizeof(float)));
    assert(!memcmp(alone.sum, together.sum, alone.cells * sizeof(float)));
    free(found[0]);
    free(found[1]);
}

int main(void) {
    spots_have_the_bits_of_one_thread();
    static answers alone, found[THREADS];
    pthread_t threads[THREADS];
    double sum = 0;
    for (int i = 0; i < BC_HOLDINGS; i++) {
        weights[i] = 1 + i % 7;
        sums[0][i] = sums[1][i] = sum += weights[i];
    }
    for (int i = 0; i < ROWS; i++) {
        numbers[i] = (float)(i % 13);
        codes[i] = (uint8_t)(i % 2);
    }
    answer(&alone);
    for (int i = 0; i < THREADS; i++) assert(!pthread_create(&threads[i], NULL, answer, &found[i]));
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        for (int h = 0; h < BC_HOLDINGS; h++)
            assert(found[i].sweep[h] == alone.sweep[h] ||
                   (found[i].sweep[h] != found[i].sweep[h] && alone.sweep[h] != alone.sweep[h]));
        memcpy(found[i].sweep, alone.sweep, sizeof alone.sweep);
        assert(memcmp(&found[i], &alone, sizeof alone) == 0);
    }
    return 0;
}
