# All C declarations, a block for each header.

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "baycarp/simd.h" nogil:
    enum bc_simd:
        BC_BASE
        BC_AVX2
        BC_AVX512
    bc_simd bc_simd_best()


cdef extern from "baycarp/stop.h" nogil:
    ctypedef bint (*bc_stop)() noexcept nogil


cdef extern from "baycarp/rng.h" nogil:
    ctypedef struct bc_rng:
        pass
    void bc_rng_seed(bc_rng *rng, uint64_t seed)
    uint64_t bc_rng_next(bc_rng *rng)
    double bc_rng_unit(bc_rng *rng)
    uint32_t bc_rng_below(bc_rng *rng, uint32_t n)


cdef extern from "baycarp/rank.h" nogil:
    const uint32_t bc_rank_table_bytes
    uint16_t bc_rank_cards(const uint8_t *cards, int n)
    ptrdiff_t bc_rank_batch(bc_simd level, const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out)
    void bc_rank_holdings(const uint8_t *board, int n, uint16_t *ranks)
    void bc_rank_census(int k, bc_stop stop, int64_t *counts)


cdef extern from "baycarp/strength.h" nogil:
    ctypedef struct bc_standings:
        double now[3]
        double then[3][3]
    bint bc_strength(bc_simd level, const uint8_t *hole, const uint8_t *board, int n, int ahead,
                     const double *weights, bc_standings *out)
    int bc_strengths(bc_simd level, const uint8_t *hole, const uint8_t *board, int n, int ahead,
                     const double *const *weights, int ranges, bc_standings *out)
    double bc_beaten(bc_simd level, const uint8_t *hole, const uint8_t *board, int n, const double *weights,
                     double *met)
    double bc_hs(const bc_standings *standings)
    double bc_ppot(const bc_standings *standings)
    double bc_npot(const bc_standings *standings)
    void bc_expected_strength(bc_simd level, const uint8_t *hole, const uint8_t *board, int n,
                              double *mean, double *square)


cdef extern from "baycarp/equity.h" nogil:
    ctypedef struct bc_shares:
        double won
        double total
    void bc_equity(bc_simd level, const double *a, const double *b, const uint8_t *board, int n, int lowest,
                   bc_stop stop, bc_shares *sum)


cdef extern from "baycarp/sweep.h" nogil:
    void bc_sweep(bc_simd level, const uint8_t *board, int n, const double *weights, double *hs)
    void bc_sweep_potential(bc_simd level, const uint8_t *board, int n, double *hs, double *ppot, double *npot)
    void bc_sweep_expected(
        bc_simd level, const uint8_t *board, int n, const double *weights, bc_stop stop, double *mean, double *square)


cdef extern from "baycarp/share.h" nogil:
    void bc_share(bc_rng *rng, const uint8_t *hole, int players, int64_t deals, bc_stop stop, double *sum,
                  double *square)


cdef extern from "baycarp/game.h" nogil:
    enum:
        BC_SEATS
        BC_STREETS
        BC_NO_CAP
        BC_NO_BETTING
        BC_FOLD
        BC_CALL
        BC_RAISE
        BC_KINDS
    ctypedef struct bc_variant:
        int64_t blinds[10]
        int64_t antes[10]
        int64_t raise_sizes[4]
        int64_t big_blind
        uint8_t max_raises[4]
        uint8_t first[4]
        uint8_t seats
        bint limit
        bint pot_limit
        bint dead_antes
    ctypedef struct bc_state:
        int64_t stack[10]
        int64_t bet[10]
        int64_t paid[10]
        int64_t level
        int64_t last_raise
        uint32_t raises
        uint16_t players "in"
        uint16_t acted
        uint8_t street
        int8_t to_act
    ctypedef struct bc_legal:
        int64_t owed
        int64_t least
        int64_t most
    ctypedef struct bc_pot:
        int64_t chips
        uint16_t contenders
    void bc_state_start(const bc_variant *variant, const int64_t *stacks, bc_state *state)
    bint bc_state_over(const bc_state *state)
    bc_legal bc_state_legal(const bc_variant *variant, const bc_state *state)
    bint bc_state_can(const bc_variant *variant, const bc_state *state, int kind, int64_t amount)
    int64_t bc_state_apply(const bc_variant *variant, bc_state *state, int kind, int64_t amount)
    int64_t bc_state_pot(const bc_variant *variant, const bc_state *state)
    int bc_state_pots(const bc_variant *variant, const bc_state *state, bc_pot *pots)
    void bc_state_ranks(const bc_variant *variant, const bc_state *state, const uint8_t *holes,
                        const uint8_t *board, uint16_t *ranks)
    bint bc_state_payoffs(const bc_variant *variant, const bc_state *state, const uint16_t *ranks, int64_t *payoffs)
    int64_t bc_random_hand(const bc_variant *variant, const int64_t *stacks, bc_rng *rng, int64_t *payoffs)


cdef extern from "baycarp/eliminate.h" nogil:
    enum:
        BC_LOOPS
        BC_FACTORS
    enum bc_memory:
        BC_TABLES
        BC_CONSTANTS
        BC_MESSAGES
        BC_SOFT
    ctypedef struct bc_evidence:
        const int32_t *states
        const double *soft
    ctypedef struct bc_slice:
        int32_t observed, stride
    ctypedef struct bc_factor:
        int32_t memory
        int64_t first
        int32_t slices_from, slices
        int32_t[BC_LOOPS] stride
    ctypedef struct bc_step:
        int32_t loops, factors_from, factors
        int32_t[BC_LOOPS] settled, length, stride
        int64_t first, size
    ctypedef struct bc_answer:
        int64_t first, size
    ctypedef struct bc_plan:
        const double *tables
        const double *constants
        const bc_step *steps
        const bc_factor *factors
        const bc_slice *slices
        const bc_answer *answers
        int32_t step_count, answer_count, observed
        int64_t soft, message_size
        bc_stop stop
    bc_evidence bc_evidence_row(const bc_plan *plan, bc_evidence rows, int64_t number)
    bint bc_ends(const bc_plan *plan, int64_t made, int64_t *doubles)
    int32_t bc_together(const bc_plan *plan, int64_t n)
    void bc_messages(bc_simd level, const bc_plan *plan, bc_evidence rows, int32_t n, double *messages)
    double bc_eliminate(
        bc_simd level, const bc_plan *plan, bc_evidence evidence, double *messages, double *out)
    void bc_eliminate_batch(bc_simd level, const bc_plan *plan, bc_evidence rows, int64_t n, double *messages,
                            double *out, double *probability)


cdef extern from "baycarp/count.h" nogil:
    enum:
        BC_NARROW
        BC_MEMBERS
    int64_t bc_code_rows(const int64_t *given, int64_t n, int32_t columns, const int32_t *states, int32_t *codes)
    int64_t bc_code_column(const int64_t *given, int64_t n, int32_t states, int16_t *codes)
    void bc_count(const int16_t *const *columns, const int32_t *stride, int32_t members, int64_t n, int64_t size,
                  int64_t *counts)


cdef extern from "baycarp/explain.h" nogil:
    ctypedef struct bc_explanation:
        const bc_plan *plan
        const int32_t *variable
        int32_t variables
    double bc_explain(const bc_explanation *explanation, bc_evidence evidence, double *messages, int32_t *best,
                      int32_t *states)


cdef extern from "baycarp/expect.h" nogil:
    ctypedef struct bc_deposit:
        int64_t message, first
        int32_t slices_from, slices, loops
        int32_t[BC_LOOPS] length, stride
    ctypedef struct bc_family_plan:
        const bc_plan *plan
        const bc_deposit *deposits
        const bc_slice *slices
        int32_t deposit_count
    void bc_expect(bc_simd level, const bc_family_plan *families, bc_evidence rows, const double *weight,
                   int64_t n, double *messages, double *counts, double *probability)


cdef extern from "baycarp/exp_nonpositive.h" nogil:
    double bc_exp_nonpositive(double x)


cdef extern from "baycarp/similarity.h" nogil:
    enum:
        BC_NUMBERS
        BC_SLOTS
        BC_SYMBOLS
        BC_STATES
        BC_RUN
    ctypedef struct bc_measure:
        int numbers, slots
        const double *weight
        const double *decay
        const double *max
        double total
        int symbols
    ctypedef struct bc_vocabulary:
        const double *similarity
        int64_t count
    ctypedef struct bc_query:
        const float *numbers
        const double *tables
        const bc_vocabulary *vocabulary
    ctypedef struct bc_rows:
        int64_t count, stride
        const float *numbers
        const uint8_t *codes
        const int32_t *order
        const uint32_t *symbols
    ctypedef struct bc_cells:
        int32_t count, runs
        const int32_t *cells
        const int64_t *starts
        const int32_t *order
        int32_t stem, stems, bytes_from
        const float *stem_numbers
        const uint16_t *stem_of
        float *numbers
        uint8_t *bytes
        float *low
        float *high
        uint8_t *run_low
        uint8_t *run_high
        uint32_t *states
        uint32_t *symbols
    ctypedef struct bc_totals:
        const uint8_t *solution
        const double *outcome
        const uint8_t *solution_in_cells
        const double *outcome_in_cells
        int64_t *counts
        double *outcomes
        double *similarities
    ctypedef struct bc_found:
        double at_least
        int64_t room, count
        double *similarity
        int64_t *row
        int64_t scored
        const bc_totals *totals
    void bc_similar_scan(bc_simd level, const bc_measure *m, const bc_query *q, const bc_rows *rows, int64_t start,
                         int64_t to, bc_found *found)
    ctypedef struct bc_similar_work:
        float *bound
        int32_t *queue
        double *begun
        float *loss
        uint16_t *units
    void bc_similar_cells(bc_simd level, const bc_measure *m, const bc_query *q, const bc_cells *cells,
                          bc_similar_work work, bc_found *found)
    void bc_similar_add(bc_found *found, int in_cells, const double *similarity, const int64_t *place, int count)
    void bc_similar_pack(int numbers, int slots, int symbols, const bc_rows *rows, bc_cells *cells)
    void bc_similar_sort(const bc_found *found, double *similarity, int64_t *row)


cdef extern from "baycarp/triple.h" nogil:
    enum:
        BC_RULES
    ctypedef struct bc_spot:
        double pot
        double owed
        double bet
        double later
        int bets
        int opponents
        int behind
        int invested
        int can_raise
        int last
        int following
    ctypedef struct bc_rules:
        double strong
        double good
        double bluff
        double odds
        double implied
        double defence
        double slow
    void bc_rule_shares(const bc_spot *spot, const bc_rules *rules, double hs, double ppot, double npot,
                        double *share)
    void bc_triple(const bc_spot *spot, const bc_rules *rules, const double *share, double *out)


cdef extern from "baycarp/simulate.h" nogil:
    enum:
        BC_WORTHS
    ctypedef struct bc_simulation:
        bc_variant variant
        bc_state state
        bc_simd level
        uint8_t hole[2]
        uint8_t board[5]
        bc_rules rules[10]
        double weights[10][1326]
        double ppot[1326]
        double npot[1326]
        double worth[3]
        double squares[3]
        int64_t trials
        int hero
        bint can_raise
    void bc_simulation_start(bc_simulation *sim, uint64_t seed)
    void bc_simulate(bc_simulation *sim, int trials)


cdef extern from "baycarp/runout.h" nogil:
    enum:
        BC_PORTIONS
    ctypedef struct bc_runout:
        const uint8_t *holes
        int players
        uint8_t board[5]
        int shown
        uint64_t dead
        const uint16_t *sets
        int count
        bc_stop stop
    int64_t bc_runout_exact(const bc_runout *run, int64_t *won)
    void bc_runout_sampled(bc_rng *rng, const bc_runout *run, int64_t boards, int64_t *won)


cdef extern from "baycarp/categories.h" nogil:
    enum:
        BC_CATEGORIES
    void bc_categories(const uint8_t *board, int shown, int32_t *counts, int32_t *orders)


cdef extern from "baycarp/preflop.h" nogil:
    enum:
        BC_BOARDS
        BC_PREFLOP_BOARDS
        BC_PREFLOP_PAIRS
    ctypedef struct bc_preflop_shares:
        double lead
        double total
    const uint8_t bc_preflop_class[1326]
    const int32_t bc_preflop_lead[4186][15]
    const int32_t bc_preflop_class_lead[14196]
    const uint64_t bc_preflop_strength[169]
    const uint64_t bc_preflop_square[169]
    int32_t bc_preflop_matchup(int a0, int a1, int b0, int b1)
    bc_preflop_shares bc_preflop_equity(const double *a, const double *b)


cdef extern from "baycarp/sample.h" nogil:
    ctypedef struct bc_sample:
        const double *sums
        int players
        uint8_t board[5]
        int shown
        bc_stop stop
    int64_t bc_sample_equity(bc_rng *rng, const bc_sample *s, int64_t deals, double *sum, double *square)


cdef extern from "baycarp/deals.h" nogil:
    enum:
        BC_FLOPS
        BC_TURNS
        BC_RENAMINGS
        BC_DEALT
    ctypedef struct bc_bucket_tables:
        const uint16_t *row[2]
        const uint8_t *renaming[2]
        const uint16_t *holding
        const uint16_t *bucket[2]
        const double *edges
        int count[3]
        int recall[3]
    ctypedef struct bc_dealt:
        pass
    void bc_deals(
        bc_simd level, const bc_bucket_tables *tables, uint64_t seed, int64_t first, int64_t n, bc_dealt *deals)


cdef extern from "baycarp/mccfr.h" nogil:
    enum:
        BC_MCCFR_ACTIONS
        BC_MCCFR_DEPTH
    ctypedef struct bc_mccfr_game:
        int nodes
        const int32_t *edge
        const int32_t *child
        const uint8_t *actor
        const uint8_t *street
        const float *chips
        const int8_t *folded
        const int64_t *cell
    ctypedef struct bc_mccfr_run:
        const bc_mccfr_game *game
        int learns[2]
        float *regret
        const float *play
        float *average
        int64_t step
        uint64_t seed
    int64_t bc_mccfr_learn(
        const bc_mccfr_run *run, int64_t first, int64_t n, const bc_dealt *deals, bc_stop stop)
    int64_t bc_mccfr_values(
        const bc_mccfr_game *game, const float **strategy, int64_t n, const bc_dealt *deals, double *value,
        bc_stop stop)


cdef extern from "baycarp/cfr.h" nogil:
    enum:
        BC_CFR_LANES
        BC_BETTING_NODES
        BC_ACTIONS
    ctypedef struct bc_betting:
        int nodes
        int leaves
        int blocks
        int lanes
        int buckets[2]
        int8_t actor[16]
        int8_t child[16][3]
        float folded[16]
        float matched[16]
        const float *entry
        size_t first
    ctypedef struct bc_betting_game:
        int streets
        bc_betting street[4]
    ctypedef struct bc_deal:
        int count
    enum bc_cfr_last:
        BC_CFR_MIX
        BC_CFR_RECORD
        BC_CFR_REPLAY
    ctypedef struct bc_cfr_walk:
        const bc_betting_game *game
        const bc_deal *deal
        const float *strategy
        int hero
        float share
        float *regret
        float *average
        float *scratch
        bc_cfr_last last
        int8_t *choices
    ctypedef struct bc_cfr_step:
        float discount[2]
        float keep
        float weight
    size_t bc_cfr_cells(bc_betting_game *game)
    size_t bc_cfr_scratch(const bc_betting_game *game)
    size_t bc_cfr_choices(const bc_betting_game *game, const bc_deal *deal)
    void bc_cfr_deal(const uint8_t *board, const uint16_t **bucket, int streets, const uint8_t *dealt, bc_deal *deal)
    void bc_cfr_visit(bc_simd level, const bc_cfr_walk *walk, float *value)
    void bc_cfr_learn(
        const bc_betting_game *game, int hero, const bc_cfr_step *step, const float *change, const float *reached,
        float *regret, float *average, float *strategy)
    void bc_cfr_policy(const bc_betting_game *game, const float *average, float *policy)
    void bc_cfr_greedy(const bc_betting_game *game, int hero, const float *sum, float *policy)


cdef extern from "baycarp/spot.h" nogil:
    enum:
        BC_SPOT_DECISION
        BC_SPOT_END
        BC_SPOT_SHOWDOWN
        BC_SPOT_DEAL
        BC_SPOT_SUM
        BC_SPOT_TYPES
        BC_SPOT_LIST
        BC_SPOT_ACTIONS
    enum bc_spot_mode:
        BC_SPOT_MEAN
        BC_SPOT_LOCKED
        BC_SPOT_FREE
    ctypedef struct bc_spot_tree:
        int nodes
        const uint8_t *kind
        const int8_t *player
        const int32_t *first
        const int32_t *count
        const double *payoff
    ctypedef struct bc_spot_game:
        int cards
        uint8_t board[5]
        uint8_t suit[4]
        int count[2]
        const uint8_t *card[2]
        const float *weight[2]
        bc_spot_tree tree
        int bits
        int threads
    ctypedef struct bc_spot_weights:
        double positive
        double negative
        double average
        int restart
        int parts
    ctypedef struct bc_spot_tables:
        size_t cells
        size_t scales
        void *regret
        void *sum
        float *regret_scale
        float *sum_scale
    ctypedef struct bc_spot_solver:
        pass
    ctypedef struct bc_spot_lock:
        int32_t node
        int32_t board
        const float *fixed
    size_t bc_spot_bytes(const bc_spot_game *spot, int32_t *work)
    bc_spot_solver *bc_spot_make(const bc_spot_game *spot, int32_t *work, void *memory)
    double bc_spot_mass(const bc_spot_solver *solver)
    bc_spot_tables bc_spot_tables_of(bc_spot_solver *solver)
    void bc_spot_begin(bc_spot_solver *solver, int iterations, const bc_spot_weights *weights)
    void bc_spot_run(bc_simd level, bc_spot_solver *solver, int worker, bc_stop stop)
    int64_t bc_spot_iterations(const bc_spot_solver *solver)
    void bc_spot_resume(bc_spot_solver *solver, int64_t iterations)
    void bc_spot_begin_value(bc_spot_solver *solver, int player, bc_spot_mode mode, bint keep)
    double bc_spot_value(const bc_spot_solver *solver)
    int bc_spot_boards(const bc_spot_solver *solver, int node)
    int32_t bc_spot_board(const bc_spot_solver *solver, int node, int number, uint8_t *cards)
    int32_t bc_spot_find(const bc_spot_solver *solver, const uint8_t *cards, int dealt, uint8_t *suit)
    void bc_spot_order(const bc_spot_solver *solver, int32_t board, int player, int32_t *listed)
    int bc_spot_padded(const bc_spot_solver *solver, int32_t board, int player)
    size_t bc_spot_cell(const bc_spot_solver *solver, int node, int32_t board)
    ctypedef struct bc_spot_rows:
        double *reach
        double *value
        double *action
    void bc_spot_probe(bc_simd level, bc_spot_solver *solver, int node, int32_t board, int player,
                       bc_spot_mode mode, bc_spot_rows rows)
    void bc_spot_set_locks(bc_spot_solver *solver, const bc_spot_lock *locks, int count)
    void bc_spot_set_payoff(bc_spot_solver *solver, int node, const double *payoff)
    void bc_spot_set_given(bc_spot_solver *solver, int node, const double *chips)


cdef extern from "baycarp/response.h" nogil:
    enum:
        BC_HOLDINGS
        BC_STREET_LANES
        BC_STREET_BETS
        BC_STREET_ENDS
        BC_STREET_ANSWERS
        BC_STREET_SCRATCH
    ctypedef struct bc_lanes:
        double lane[8]
    ctypedef struct bc_street:
        int n
        const uint16_t *holding
        const uint8_t *cards
        const uint16_t *rank
        const uint16_t *cell
        int cells
        int holdings
        int groups
        const double *policy
        const bc_lanes *paid
        double bet
        int most
        int first
        int images
        const uint16_t *image
        bc_lanes *scratch
        bc_stop stop
    void bc_street_reach(bc_simd level, const bc_street *s, const bc_lanes *reach, bc_lanes *ends)
    void bc_street_value(bc_simd level, const bc_street *boards, int n, const bc_lanes *reach,
                         const bc_lanes *ends, bc_lanes *value)


cdef extern from "baycarp/evidence.h" nogil:
    enum:
        BC_UNBUCKETED
        BC_ACT_STREETS
    ctypedef struct bc_seen_act:
        const uint8_t *bucket
        const float *table
    void bc_evidence_by_holding(const bc_seen_act *acts, int n, int hypotheses, const double *weights, double deal,
                                uint64_t dead, double *by_holding)
    int bc_evidence_by_hypothesis(const bc_seen_act *acts, int n, int hypotheses, int holding, uint64_t dead,
                                  double *by_hypothesis)
    enum:
        BC_SEEN_ACTS
    ctypedef struct bc_alternatives:
        const uint8_t *bucket
        const float *table
        int count, buckets
    int bc_evidence_alternatives(const bc_seen_act *acts, int n, bc_alternatives last, int hypotheses,
                                 const double *weights, int holding, uint64_t dead, double *by_alternative)
    enum:
        BC_LIMIT_CHOICES
    ctypedef struct bc_powers:
        const float *table
        int powers, buckets, hypotheses
    void bc_mix_choices(bc_powers table, const float *weights, const uint8_t *bucket, int cells, float *mixed)
    void bc_bucket_holdings(const double *hs, const double *ppot, const double *edges, int n, double draw,
                            uint8_t *bucket)
    void bc_sum_by_label(const double *by_holding, int rows, const uint8_t *label, int labels, double *sums)
    enum:
        BC_LABELS
    uint64_t bc_weigh_top_labels(const double *chances, int labels, int count, const uint8_t *label, uint64_t dead,
                                 double *by_holding)


cdef extern from "baycarp/features.h" nogil:
    enum:
        BC_FEATURES
        BC_SITUATIONS
        BC_MOVES
    ctypedef struct bc_past:
        pass
    ctypedef struct bc_texture:
        pass
    void bc_past_start(bc_past *past)
    void bc_past_act(const bc_variant *variant, const bc_state *state, bc_past *past, int kind, int64_t amount)
    int bc_move_of(const bc_variant *variant, const bc_state *state, int kind, int64_t amount)
    void bc_texture_of(const uint8_t *board, int street, bc_texture *texture)
    int bc_situation(const bc_variant *variant, const bc_state *state)
    bint bc_feature_valid(int feature, int situation)
    void bc_features_of(const bc_variant *variant, const bc_state *state, const bc_past *past,
                        const bc_texture *texture, double *features)


cdef extern from "baycarp/episode.h" nogil:
    enum:
        BC_MENU
        BC_MENU_CHOICES
        BC_ENDED
        BC_ILLEGAL
    ctypedef struct bc_menu:
        double sizes[13]
        int count
    ctypedef struct bc_history:
        pass
    ctypedef struct bc_habit:
        double fold
        double raises
        double bet
        bint even
    ctypedef struct bc_episodes:
        const bc_variant *variant
        int64_t stacks[10]
        bc_menu menu
        bc_habit habits[10]
        int seat
    ctypedef struct bc_episode:
        bc_state state
        uint8_t deck[52]
        int8_t seat
    int bc_choices(const bc_variant *variant, const bc_menu *menu)
    void bc_choice_amounts(const bc_variant *variant, const bc_state *state, const bc_menu *menu, int64_t *amounts)
    void bc_history_act(const bc_state *state, bc_history *history, int kind)
    int bc_observed(int seats)
    void bc_observe(const bc_variant *variant, const bc_state *state, const bc_history *history, int seat,
                    const uint8_t *hole, const uint8_t *board, float *out)
    void bc_episode_start(const bc_episodes *episodes, bc_episode *episode, uint64_t seed, uint64_t number)
    void bc_episode_deal(const bc_episodes *episodes, bc_episode *episode)
    void bc_episode_observe(const bc_episodes *episodes, const bc_episode *episode, float *observation, int8_t *mask)
    int bc_episode_act(const bc_episodes *episodes, bc_episode *episode, int choice, int64_t *payoff)


cdef extern from "baycarp/tree.h" nogil:
    enum:
        BC_TREE_BINS
        BC_TREE_CLASSES
        BC_TREE_DEPTH
    ctypedef struct bc_node:
        pass
    ctypedef struct bc_growth:
        const uint8_t *bins
        const double *edges
        int64_t rows
        int32_t features
        const uint8_t *classes
        int32_t width
        const double *weights
        const double *slopes
        int32_t depth
        double least
        double prior
    int32_t bc_tree_grow(const bc_growth *growth, int32_t *order, int32_t *spare, double *histogram, int32_t *leaf,
                         bc_node *nodes, double *values, int32_t room)
    bint bc_tree_valid(const bc_node *nodes, int32_t count, int32_t features, int32_t leaves)
    int32_t bc_tree_leaf(const bc_node *nodes, const double *x)


cdef extern from "baycarp/search.h" nogil:
    enum:
        BC_SEARCH_MOVES
        BC_SEARCH_SIZES
        BC_SEARCH_BUCKETS
    enum bc_backup:
        BC_FREQUENCY
        BC_MAXIMUM
    ctypedef struct bc_move:
        int kind
        int64_t amount
    ctypedef struct bc_decision:
        const bc_variant *variant
        const bc_state *state
        const bc_move *moves
        int count
        int cluster
        int bucket
        const bc_past *past
        const bc_texture *texture
    ctypedef void (*bc_policy)(const void *context, const bc_decision *query, double *chances) noexcept nogil
    ctypedef int (*bc_bucket)(void *context, const uint8_t *board, int cards, int holding) noexcept nogil
    ctypedef int (*bc_refine)(const void *context, int seat, int holding, double unit) noexcept nogil
    ctypedef struct bc_search_node:
        pass
    ctypedef struct bc_search:
        bc_variant variant
        bc_state state
        uint8_t hole[2]
        uint8_t board[5]
        uint64_t dead
        int clusters
        int self_cluster "self"
        double *weights
        bc_policy policy
        const void *policy_context
        bint featured
        bint textured
        bc_past past
        bc_bucket bucket
        void *bucket_context
        bc_refine refine
        const void *refine_context
        double sizes[8]
        int size_count
        bint sized
        double explore
        double prune
        bc_backup backup
        bc_search_node *nodes
        int32_t capacity
        int32_t used
        int hero
        int count
        int64_t iterations
        int64_t forced
    ctypedef struct bc_search_value:
        bc_move move
        int64_t visits
        double value
        double error
        bint pruned
    int bc_search_moves(const bc_search *search, const bc_state *state, bc_move *moves)
    void bc_search_start(bc_search *search, uint64_t seed)
    bint bc_search_continue(bc_search *search, const bc_state *then, const bc_move *moves, int count, uint64_t seed)
    void bc_search_run(bc_search *search, int64_t iterations)
    int bc_search_values(const bc_search *search, bc_search_value *values)
    void bc_search_softmax(const bc_search *search, double temperature, double *chances)


cdef extern from "baycarp/search_models.h" nogil:
    enum:
        BC_PRICES
        BC_EDGES
    ctypedef struct bc_price_table:
        int clusters
        int buckets
        const double *chances
    void bc_price_policy(const void *table, const bc_decision *query, double *chances)
    ctypedef struct bc_strength_buckets:
        bc_simd level
        uint8_t board[5]
        int shown
        uint8_t now[1326]
        double edges[4][63]
        int count[4]
        double draw
        double apart
        bint ranked
    void bc_strength_buckets_start(bc_strength_buckets *buckets)
    void bc_strength_bucket_table(const bc_strength_buckets *models, const uint8_t *board, int cards, uint8_t *buckets)
    int bc_strength_bucket(void *buckets, const uint8_t *board, int cards, int holding)


cdef extern from "baycarp/search_trees.h" nogil:
    enum:
        BC_CHOICES
        BC_TREE_INPUTS
    ctypedef struct bc_policy_tree:
        const bc_node *nodes
        const double *values
    ctypedef struct bc_tree_policies:
        int clusters
        const bc_policy_tree *trees
    int bc_choice_of(const bc_variant *variant, const bc_state *state, int kind, int64_t amount)
    unsigned bc_choices_open(const bc_variant *variant, const bc_state *state)
    void bc_tree_policy(const void *policies, const bc_decision *query, double *chances)


cdef extern from "baycarp/search_styles.h" nogil:
    enum:
        BC_STYLE_CLASSES
        BC_STYLE_GROUPS
        BC_STYLE_PREFLOP
        BC_STYLE_LATER
        BC_STYLE_SITUATIONS
        BC_STYLE_ACTS
        BC_STYLE_MOST
    ctypedef struct bc_styles:
        int styles
        int powers
        int cells[3]
        uint8_t cell[3][169]
        const uint8_t *bucket[3]
        int buckets[4]
        const float *table[4]
        const double *own[4]
    ctypedef struct bc_style_players:
        const bc_styles *styles
        const double *weights
        const double *sums
        const double *powers
        const double *factor
        const double *blindly
        int8_t group[10]
        int count[10]
        bc_seen_act acts[10][64]
    int bc_style_situation(const bc_variant *variant, const bc_state *state, int raised)
    void bc_style_policy(const void *players, const bc_decision *query, double *chances)
    int bc_style_refine(const void *players, int seat, int holding, double unit)


cdef extern from "baycarp/lookahead.h" nogil:
    enum:
        BC_LOOK_COARSE
    ctypedef struct bc_look_cell:
        uint64_t key
        float mean[12]
        uint32_t visits[12]
    ctypedef struct bc_look:
        bc_search *search
        bc_look_cell *cells
        double strength[4][256]
        int64_t capacity
        const bc_look_cell *known
        int64_t known_count
        int64_t used
        int64_t playouts
    ctypedef struct bc_look_value:
        bc_move move
        double value
        double error
    void bc_look_start(bc_look *look, uint64_t seed)
    void bc_look_run(bc_look *look, int64_t playouts)
    int bc_look_values(const bc_look *look, bc_look_value *values)
    int64_t bc_look_learned(const bc_look *look, bc_look_cell *cells)
    double bc_look_difference(const bc_look *look, int one, int other)
