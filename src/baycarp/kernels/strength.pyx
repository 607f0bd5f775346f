# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Strength of a holding against a range, and equity of two ranges."""

from cpython.long cimport PyLong_AsLongAndOverflow, PyLong_CheckExact
from libc.math cimport INFINITY, frexp
from libc.stdint cimport uint64_t, uint8_t
from libc.string cimport memcpy
from baycarp.kernels cimport aligned, csrc, interrupt
from baycarp.kernels.simd cimport LEVEL

import numpy as np

from baycarp.card import DECK, HOLDS, as_cards, text
from baycarp.errors import RangeError
from baycarp.kernels.arguments import whole

__all__ = ["as_weights", "equity", "expected_strength", "holding_equity", "known_cards", "strength", "strengths",
           "weights_beside"]


cdef uint8_t[128][128] ID_OF  # by the two letters of a card, plus 1; 0 = no card
for _id, _card in enumerate(DECK):
    ID_OF[<int> ord(_card[0])][<int> ord(_card[1])] = _id + 1


cdef bytes _plain_cards(tuple given):
    """The ids of a few valid cards; None for any others."""
    cdef uint8_t[7] ids
    cdef uint64_t seen = 0
    cdef Py_ssize_t i
    cdef long card
    cdef int overflow
    for i in range(len(given)):
        if not PyLong_CheckExact(given[i]):
            return None
        card = PyLong_AsLongAndOverflow(given[i], &overflow)  # -1 on overflow
        if not 0 <= card < 52 or seen >> card & 1:
            return None
        seen |= (<uint64_t> 1) << card
        ids[i] = <uint8_t> card
    return (<char *> ids)[:len(given)]


def known_cards(given, name, counts):
    if type(given) is tuple and len(<tuple> given) in counts and len(<tuple> given) <= 7:
        return _plain_cards(<tuple> given) or as_cards(given, name, counts)
    if type(given) is not str or len(given) % 2 or len(given) > 14 or len(given) // 2 not in counts:
        return as_cards(given, name, counts)
    cdef str string = given
    cdef uint8_t[7] ids
    cdef uint64_t seen = 0
    cdef int i, card, n = <int> (len(string) // 2)
    cdef Py_UCS4 rank, suit
    for i in range(n):
        rank, suit = string[2 * i], string[2 * i + 1]
        card = ID_OF[rank][suit] - 1 if rank < 128 and suit < 128 else -1
        if card < 0 or seen >> card & 1:
            return as_cards(given, name, counts)  # reads other notations, or raises the error
        seen |= (<uint64_t> 1) << card
        ids[i] = <uint8_t> card
    return (<char *> ids)[:n]


cdef object ARRAY = np.ndarray, FLOAT64 = np.dtype(np.float64)


cdef object _as_array(weights, name):
    array = np.asarray(weights)
    if array.shape != (1326,) or array.dtype.kind not in "biuf":
        raise RangeError(f"{name}: expected 1326 numbers, got shape {array.shape} of {array.dtype}")
    return np.require(array, FLOAT64, "CA")


cdef uint64_t set_of(const uint8_t[::1] cards) noexcept:
    cdef uint64_t known = 0
    cdef Py_ssize_t i
    for i in range(cards.shape[0]):
        known |= (<uint64_t> 1) << cards[i]
    return known


cdef const double[::1] weights_of(weights, name, uint64_t known, int limit):
    """The weights of ``as_weights``, read-only, scaled by `_scaled` if necessary."""
    cdef const double[::1] given
    cdef uint64_t bits, wrong = 0
    cdef uint64_t least = <uint64_t> (1023 - PRODUCT) << 52  # the bits of 2**-PRODUCT
    cdef uint64_t rest = <uint64_t> (1025 - PRODUCT) << 52  # 2**63 minus the bits of 2**PRODUCT
    cdef int i
    if type(weights) is ARRAY and weights.dtype is FLOAT64 and len(weights) == 1326 == weights.size:
        given = weights if weights.flags.c_contiguous else _as_array(weights, name)
        given = aligned.row(given)
    else:
        given = _as_array(weights, name)
    # The top bit is set: in bits by a negative number (and -0.0); in the sum by a number from 2**PRODUCT on,
    # infinity and NaN; in the last term by a number above 0 and below 2**-PRODUCT.
    for i in range(1326):
        memcpy(&bits, &given[i], sizeof(bits))
        wrong |= bits | (bits + rest) | ((bits - least) & (0 - bits))
    if not wrong >> 63:
        return given
    for i in range(1326):
        if not 0 <= given[i] < INFINITY:
            raise RangeError(f"{name}: weight {given[i]} at {i}, expected finite and at least 0")
    return _scaled(given, known, limit)


cdef const double[::1] _scaled(const double[::1] weights, uint64_t known, int limit):
    """The weights times a power of two, without rounding, so that the largest weight of a holding without known
    cards is 2**-limit to 2**limit; the weights themselves if it already is."""
    cdef double most = 0
    cdef int i = 0, hi, lo, exponent
    for hi in range(52):
        for lo in range(hi):
            if not (known >> hi | known >> lo) & 1:
                most = max(most, weights[i])
            i += 1
    frexp(most, &exponent)
    if most == 0 or -limit < exponent <= limit:
        return weights
    with np.errstate(over="ignore", under="ignore"):  # overflow: blocked holdings; underflow: negligible ones
        return np.minimum(np.ldexp(weights, (limit if exponent > 0 else 1 - limit) - exponent), 2.0**limit)


def as_weights(weights, name="weights"):
    array = _as_array(weights, name)
    weights_of(array, name, 0, SUM)
    return array


def weights_beside(weights, cards, name="weights", limit=SUM):
    known = as_cards(cards)
    array = np.array(weights_of(weights, name, set_of(known), whole(limit, "limit", 1, SUM)))
    array[HOLDS[known].any(axis=0)] = 0
    return array


cdef struct Known:
    uint8_t[7] cards  # two hole cards, then the board
    int n  # number of board cards
    uint64_t all


cdef Known _known(hole, board) except *:
    cdef const uint8_t[::1] first = known_cards(hole, "hole", (2,)), rest = known_cards(board, "board", (3, 4, 5))
    cdef Known known
    cdef uint64_t seen = 0
    cdef int i
    known.n = <int> rest.shape[0]
    for i in range(2 + known.n):
        known.cards[i] = first[i] if i < 2 else rest[i - 2]
        if seen >> known.cards[i] & 1:
            as_cards(np.concatenate([first, rest]), "hole and board")  # raises the error
        seen |= (<uint64_t> 1) << known.cards[i]
    known.all = seen
    return known


def strength(hole, board, weights=None, ahead=2, name="weights"):
    cdef Known known = _known(hole, board)
    cdef const double[::1] array
    cdef const double *given = NULL
    cdef csrc.bc_standings standings
    cdef bint met
    cdef int cards = ahead if type(ahead) is int and 0 <= ahead <= 2 else whole(ahead, "ahead", 0, 2)
    cards = min(cards, 5 - known.n)
    if weights is not None:
        array = weights_of(weights, name, known.all, SUM)
        given = &array[0]
    with nogil:
        met = csrc.bc_strength(LEVEL, known.cards, known.cards + 2, known.n, cards, given, &standings)
    if not met:
        raise RangeError(f"{name}: no holding is left beside the known cards {text(known.cards[:2 + known.n])}")
    return csrc.bc_hs(&standings), csrc.bc_ppot(&standings), csrc.bc_npot(&standings)


cdef enum:
    MOST_RANGES = 16  # measured at once


def strengths(hole, board, ranges, ahead=2):
    cdef Known known = _known(hole, board)
    cdef csrc.bc_standings standings[MOST_RANGES]
    cdef const double[::1] array
    cdef const double *given[MOST_RANGES]
    cdef int i, met, count
    cdef int cards = ahead if type(ahead) is int and 0 <= ahead <= 2 else whole(ahead, "ahead", 0, 2)
    cards = min(cards, 5 - known.n)
    different, found = {}, {}  # ranges by identity; standings by the number of the range
    ranges = list(ranges)  # rows of an array are new objects each time
    for i, weights in enumerate(ranges):
        different.setdefault(id(weights), i)
    numbers = list(different.values())
    while numbers:
        count = min(len(numbers), MOST_RANGES)
        held = []  # as long as the kernel reads them
        for i in range(count):
            array = weights_of(ranges[numbers[i]], f"range {numbers[i] + 1}", known.all, SUM)
            held.append(array)
            given[i] = &array[0]
        with nogil:
            met = csrc.bc_strengths(LEVEL, known.cards, known.cards + 2, known.n, cards, given, count, &standings[0])
        if met < count:
            raise RangeError(f"range {numbers[met] + 1}: no holding is left beside the known cards "
                             f"{text(known.cards[:2 + known.n])}")
        for i in range(count):
            found[numbers[i]] = csrc.bc_hs(&standings[i]), csrc.bc_ppot(&standings[i]), csrc.bc_npot(&standings[i])
        numbers = numbers[count:]
    return [found[different[id(weights)]] for weights in ranges]


def expected_strength(hole, board):
    cdef Known known = _known(hole, board)
    cdef double mean, square
    with nogil:
        csrc.bc_expected_strength(LEVEL, known.cards, known.cards + 2, known.n, &mean, &square)
    return mean, square


def holding_equity(hole, board, weights, name="weights"):
    cdef Known known = _known(hole, board)
    cdef const double[::1] array = weights_of(weights, name, known.all, SUM)
    cdef double won, met
    with nogil:
        won = csrc.bc_beaten(LEVEL, known.cards, known.cards + 2, known.n, &array[0], &met)
    if not met > 0:
        raise RangeError(f"{name}: no holding is left beside the known cards {text(known.cards[:2 + known.n])}")
    return won / met


def equity(a, b, board=""):
    cdef const uint8_t[::1] cards = known_cards(board, "board", (0, 3, 4, 5))
    cdef int n = <int> cards.shape[0], lowest
    cdef const double[::1] first = weights_of(a, "a", set_of(cards), PRODUCT), second = weights_of(b, "b", set_of(cards), PRODUCT)
    cdef csrc.bc_shares sum
    sum.won = sum.total = 0
    if n:
        with nogil:
            csrc.bc_equity(LEVEL, &first[0], &second[0], &cards[0], n, -1, NULL, &sum)
    else:
        for lowest in range(13):
            with nogil:
                csrc.bc_equity(LEVEL, &first[0], &second[0], NULL, 0, lowest, interrupt.stopped, &sum)
            interrupt.check()
    if not sum.total > 0:
        raise RangeError(f"a, b: no two holdings are left that can meet on the board {text(cards)!r}")
    return min(max(sum.won / sum.total, 0.0), 1.0)  # two sums, rounded apart
