/* The plain forms. */
#include "../simd/similarity_form.h"

/* Adds the losses of the slots to `loss`, which has those of the numbers; writes the places of the rows whose
   loss is at most `most`, and returns their number. */
static int add_slot_losses(const bc_bound *b, float *loss, const uint8_t *codes, int64_t stride, int n,
                           float most, int *kept) {
    for (int s = 0; s < b->slots; s++, codes += stride) {
        for (int i = 0; i < n; i++) loss[i] += b->slot[s][codes[i] % BC_STATES];
    }
    int count = 0;
    for (int i = 0; i < n; i++) {
        kept[count] = i;
        count += loss[i] <= most;
    }
    return count;
}

static int rows_within(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                       float most, int *kept) {
    float loss[BC_RUN] = {0};
    for (int f = 0; f < b->numbers; f++, numbers += stride) {
        for (int i = 0; i < n; i++) loss[i] += bc_loss(b, f, fabsf(numbers[i] - b->x[f]));
    }
    return add_slot_losses(b, loss, codes, stride, n, most, kept);
}

static uint16_t less(uint16_t a, uint16_t b) {
    return a > b ? (uint16_t)(a - b) : 0;
}

static uint16_t times(uint16_t a, uint16_t b) {
    return (uint16_t)((uint32_t)a * b >> 16);
}

/* Add the losses of a block in one column. */
static void add_number(const bc_inner *in, int k, const bc_block *b, int32_t *restrict sum) {
    const uint16_t x = in->x[k], reach = in->reach[k], slope = in->slope[k], curve = in->curve[k];
    const uint8_t *low = b->low + in->column[k] * b->stride, *high = b->high + in->column[k] * b->stride;
    for (int i = 0; i < BC_RUN; i++) {
        uint16_t from = (uint16_t)(low[i] << 8), to = (uint16_t)(high[i] << 8);
        uint16_t d = less(from, x) | less(x, to);
        d = d < reach ? d : reach;
        sum[i] += times(less(slope, times(curve, d)), d);
    }
}

static bc_kept entries_within(const bc_inner *in, const bc_block *b, uint16_t most, uint16_t below,
                              uint16_t loss[BC_RUN]) {
    int32_t sum[BC_RUN];
    bc_kept kept = {0, 0};
    for (int i = 0; i < BC_RUN; i++) sum[i] = b->base + (b->stems ? b->stems[i] : 0);
    for (int k = 0; k < in->bent + in->straight; k++) add_number(in, k, b, sum);
    for (int s = 0; s < in->slots && b->codes; s++) {
        const uint8_t *codes = b->codes + s * b->stride;
        for (int i = 0; i < BC_RUN; i++) sum[i] += in->slot[s][codes[i] % BC_STATES];
    }
    for (int i = 0; i < BC_RUN; i++) {
        loss[i] = sum[i] < UINT16_MAX ? (uint16_t)sum[i] : UINT16_MAX;
        kept.within |= (uint32_t)(loss[i] <= most) << i;
        kept.certain |= (uint32_t)(loss[i] < below) << i;
    }
    kept.within &= bc_lanes(b->count), kept.certain &= bc_lanes(b->count);
    return kept;
}

static void box_loss(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
                     float *restrict loss) {
    for (int64_t i = 0; i < n; i++) loss[i] = 0.0f;
    for (int f = 0; f < b->numbers; f++, low += stride, high += stride) {
        float x = b->x[f];
        for (int64_t i = 0; i < n; i++) {
            float below = low[i] - x, above = x - high[i], d = below > above ? below : above;
            loss[i] += bc_loss(b, f, d > 0.0f ? d : 0.0f);
        }
    }
}

const bc_similarity_forms bc_similarity_base = {rows_within,    box_loss,    columns,
                                                entries_within, stem_losses, similarities};
