#include "baycarp/evidence.h"

#include <assert.h>
#include <string.h>

#include "baycarp/card.h"

enum {
    SLOTS = 4096, /* of the hash table, more than twice the holdings */
    BLOCK = 128,  /* hypotheses at a time */
    PARTS = 8     /* partial sums, so that the order of additions does not depend on the vector length */
};

/* Holdings that are alike: their number, and the first of them; and the cell of each holding, -1 = none. */
typedef struct {
    int count, size[BC_HOLDINGS];
    int16_t first[BC_HOLDINGS], of[BC_HOLDINGS];
} cells;

/* The different arrays of buckets. */
static int streets_of(const bc_seen_act *acts, int n, const uint8_t **bucket) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        bool known = false;
        for (int j = 0; j < found; j++) known |= bucket[j] == acts[i].bucket;
        if (known) continue;
        assert(found < BC_ACT_STREETS);
        bucket[found++] = acts[i].bucket;
    }
    return found;
}

static void find_cells(const bc_seen_act *acts, int n, uint64_t dead, cells *c) {
    const uint8_t *bucket[BC_ACT_STREETS];
    const int streets = streets_of(acts, n, bucket);
    uint32_t keys[SLOTS];
    int16_t cell[SLOTS];
    memset(cell, -1, sizeof cell);
    c->count = 0;
    for (int hi = 1, h = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, h++) {
            uint32_t key = 0;
            bool out = ((bc_bit(hi) | bc_bit(lo)) & dead) != 0;
            for (int i = 0; i < streets; i++) {
                key = key << 8 | bucket[i][h];
                out |= bucket[i][h] == BC_UNBUCKETED;
            }
            c->of[h] = -1;
            if (out) continue;
            uint32_t slot = (key * 2654435761u) >> 20;
            while (cell[slot] >= 0 && keys[slot] != key) slot = (slot + 1) % SLOTS;
            if (cell[slot] < 0) {
                keys[slot] = key;
                cell[slot] = (int16_t)c->count;
                c->first[c->count] = (int16_t)h;
                c->size[c->count++] = 0;
            }
            c->of[h] = cell[slot];
            c->size[cell[slot]]++;
        }
}

/* The probability of an act of a holding, under the hypotheses from `from` on. */
static const float *row_of(const bc_seen_act *act, int hypotheses, int holding, int from) {
    return act->table + act->bucket[holding] * (long)hypotheses + from;
}

/* The products of the acts of a holding, under `count` hypotheses from `from` on. Those of one act are its
   row; others are written to `product`. */
static const float *multiply(const bc_seen_act *acts, int n, int hypotheses, int holding, int from, int count,
                             float *product) {
    for (int k = 0; n == 0 && k < count; k++) product[k] = 1;
    const float *found = n == 0 ? product : row_of(&acts[0], hypotheses, holding, from);
    for (int i = 1; i < n; i++) {
        const float *row = row_of(&acts[i], hypotheses, holding, from);
        for (int k = 0; k < count; k++) product[k] = found[k] * row[k];
        found = product;
    }
    return found;
}

static double weigh(const double *restrict weights, const float *restrict product, int count) {
    double part[PARTS] = {0}, sum = 0;
    int k = 0;
    for (; k + PARTS <= count; k += PARTS)
        for (int j = 0; j < PARTS; j++) part[j] += weights[k + j] * (double)product[k + j];
    for (; k < count; k++) sum += weights[k] * (double)product[k];
    for (int j = 0; j < PARTS; j++) sum += part[j];
    return sum;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

void bc_evidence_by_holding(const bc_seen_act *acts, int n, int hypotheses, const double *weights,
                            double deal, uint64_t dead, double *by_holding) {
    cells c;
    double value[BC_HOLDINGS], sum = 0;
    int holdings = 0;
    find_cells(acts, n, dead, &c);
    for (int i = 0; i < c.count; i++) {
        value[i] = 0;
        for (int from = 0; from < hypotheses; from += BLOCK) {
            float product[BLOCK];
            const int count = least(BLOCK, hypotheses - from);
            const float *found = multiply(acts, n, hypotheses, c.first[i], from, count, product);
            value[i] += weigh(weights + from, found, count);
        }
        sum += c.size[i] * value[i];
        holdings += c.size[i];
    }
    const double mean = holdings ? sum / holdings : 0;
    for (int i = 0; i < c.count; i++) value[i] += deal * (mean - value[i]);
    for (int h = 0; h < BC_HOLDINGS; h++) by_holding[h] = c.of[h] < 0 ? 0 : value[c.of[h]];
}

int bc_evidence_by_hypothesis(const bc_seen_act *acts, int n, int hypotheses, int holding, uint64_t dead,
                              double *by_hypothesis) {
    cells c = {.count = 1, .size = {1}, .first = {(int16_t)holding}};
    int holdings = 0;
    if (holding < 0) find_cells(acts, n, dead, &c);
    for (int k = 0; k < hypotheses; k++) by_hypothesis[k] = 0;
    for (int i = 0; i < c.count; i++) {
        holdings += c.size[i];
        for (int from = 0; from < hypotheses; from += BLOCK) {
            float product[BLOCK];
            const int count = least(BLOCK, hypotheses - from);
            const float *found = multiply(acts, n, hypotheses, c.first[i], from, count, product);
            for (int k = 0; k < count; k++) by_hypothesis[from + k] += c.size[i] * (double)found[k];
        }
    }
    for (int k = 0; k < hypotheses && holdings; k++) by_hypothesis[k] /= holdings;
    return holdings;
}

int bc_evidence_alternatives(const bc_seen_act *acts, int n, bc_alternatives last, int hypotheses,
                             const double *weights, int holding, uint64_t dead, double *by_alternative) {
    cells c = {.count = 1, .size = {1}, .first = {(int16_t)holding}};
    int holdings = 0;
    if (holding < 0) {
        bc_seen_act all[BC_SEEN_ACTS + 1];
        assert(n <= BC_SEEN_ACTS);
        for (int i = 0; i < n; i++) all[i] = acts[i];
        all[n] = (bc_seen_act){last.bucket, last.table};
        find_cells(all, n + 1, dead, &c);
    }
    for (int a = 0; a < last.count; a++) by_alternative[a] = 0;
    for (int i = 0; i < c.count; i++) {
        holdings += c.size[i];
        for (int from = 0; from < hypotheses; from += BLOCK) {
            float product[BLOCK], with[BLOCK];
            const int count = least(BLOCK, hypotheses - from);
            const float *found = multiply(acts, n, hypotheses, c.first[i], from, count, product);
            for (int a = 0; a < last.count; a++) {
                const bc_seen_act act = {last.bucket, last.table + (long)a * last.buckets * hypotheses};
                const float *row = row_of(&act, hypotheses, c.first[i], from);
                for (int k = 0; k < count; k++) with[k] = found[k] * row[k];
                by_alternative[a] += c.size[i] * weigh(weights + from, with, count);
            }
        }
    }
    for (int a = 0; a < last.count && holdings; a++) by_alternative[a] /= holdings;
    return holdings;
}

/* sum[hypotheses] += weight * row[hypotheses] */
static void add_row(float *restrict sum, const float *restrict row, float weight, int hypotheses) {
    for (int k = 0; k < hypotheses; k++) sum[k] += weight * row[k];
}

void bc_mix_choices(bc_powers table, const float *weights, const uint8_t *bucket, int cells, float *mixed) {
    const int n = table.hypotheses;
    const long step = (long)cells * n;
    for (long i = 0; i < BC_LIMIT_CHOICES * step; i++) mixed[i] = 0;
    for (int cell = 0; cell < cells; cell++) {
        float *at = mixed + (long)cell * n, sum[BLOCK];
        for (int choice = 0; choice < BC_LIMIT_CHOICES; choice++)
            for (int power = 0; power < table.powers; power++) {
                const int number = choice * table.powers + power;
                const long row = (long)number * table.buckets + bucket[power * cells + cell];
                add_row(at + choice * step, table.table + row * n, weights[number], n);
            }
        for (int from = 0; from < n; from += BLOCK) {
            const int count = least(BLOCK, n - from);
            for (int k = 0; k < count; k++) sum[k] = 0;
            for (int choice = 0; choice < BC_LIMIT_CHOICES; choice++)
                add_row(sum, at + choice * step + from, 1, count);
            for (int k = 0; k < count; k++) sum[k] = sum[k] > 0 ? 1 / sum[k] : 0;
            for (int choice = 0; choice < BC_LIMIT_CHOICES; choice++)
                for (int k = 0; k < count; k++) at[choice * step + from + k] *= sum[k];
        }
    }
}

void bc_bucket_holdings(const double *hs, const double *ppot, const double *edges, int n, double draw,
                        uint8_t *bucket) {
    for (int h = 0; h < BC_HOLDINGS; h++) {
        const double effective = hs[h] + (1 - hs[h]) * ppot[h];
        int reached = 0;
        for (int i = 0; i < n; i++) reached += effective >= edges[i];
        if (hs[h] < 0.5 && ppot[h] >= draw) reached += n + 1;
        bucket[h] = hs[h] == hs[h] ? (uint8_t)reached : BC_UNBUCKETED;
    }
}

/* The rows side by side: the additions of one row wait for each other. */
void bc_sum_by_label(const double *by_holding, int rows, const uint8_t *label, int labels, double *sums) {
    for (int i = 0; i < rows * labels; i++) sums[i] = 0;
    for (int h = 0; h < BC_HOLDINGS; h++)
        for (int row = 0; row < rows && label[h] < labels; row++)
            sums[row * labels + label[h]] += by_holding[row * BC_HOLDINGS + h];
}

/* The value of the label of each holding, 0 for holdings with a dead card; whether any is not 0. */
static bool weigh_labels(const double *value, const uint8_t *label, uint64_t dead, double *by_holding) {
    double sum = 0, live[BC_DECK];
    for (int card = 0; card < BC_DECK; card++) live[card] = !(bc_bit(card) & dead);
    for (int hi = 1, h = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, h++) sum += by_holding[h] = live[hi] * live[lo] * value[label[h]];
    return sum > 0;
}

uint64_t bc_weigh_top_labels(const double *chances, int labels, int count, const uint8_t *label,
                             uint64_t dead, double *by_holding) {
    assert(1 <= labels && labels <= BC_LABELS && 1 <= count && count <= labels);
    double value[UINT8_MAX + 1] = {0};
    uint64_t chosen = 0;
    for (int n = 1; n <= labels; n++) {
        int best = -1;
        for (int i = 0; i < labels; i++)
            if (!(chosen >> i & 1) && (best < 0 || chances[i] > chances[best])) best = i;
        chosen |= (uint64_t)1 << best;
        value[best] = 1;
        if (n >= count && weigh_labels(value, label, dead, by_holding)) return chosen;
    }
    return 0;
}
