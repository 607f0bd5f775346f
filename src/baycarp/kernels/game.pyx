# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled hand: chips by the rules of game.h, and the cards that are known."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from baycarp.kernels cimport csrc

from baycarp.card import DECK
from baycarp.errors import CardError, IllegalAction, VariantError

__all__ = ["CALL", "DEEP", "FOLD", "RAISE", "Hand", "Rules", "deal", "random_hands"]

DEEP = 1 << 40  # chips of a player whose stack is "as deep as needed": ten of them sum without overflow
FOLD, CALL, RAISE = csrc.BC_FOLD, csrc.BC_CALL, csrc.BC_RAISE

cdef enum:
    UNSEEN = 255
    BOARD = 20  # where the five board cards stand, after two for each of ten seats
    CARDS = 25

cdef int SHOWN[4]
SHOWN[:] = [0, 3, 4, 5]


cdef tuple positions(int mask):
    cdef int i
    return tuple([i for i in range(10) if mask >> i & 1])


cdef class Rules:
    """What was agreed, compiled; ``Variant`` has checked it."""

    def __init__(self, bint limit, tuple blinds, tuple antes, tuple sizes, tuple max_raises, tuple first):
        cdef int i, seats = len(blinds)
        self.given = (limit, blinds, antes, sizes, max_raises, first)
        memset(&self.c, 0, sizeof(self.c))
        self.c.seats, self.c.limit = seats, limit
        self.c.big_blind = max(blinds)
        self.c.dead_antes = len(set(antes)) > 1
        for i in range(seats):
            self.c.blinds[i], self.c.antes[i] = blinds[i], antes[i]
        for i in range(csrc.BC_STREETS):
            self.c.raise_sizes[i] = sizes[i] if limit else 0
            self.c.max_raises[i] = csrc.BC_NO_CAP if max_raises[i] is None else max_raises[i]
            self.c.first[i] = first[i]

    def __reduce__(self):
        return Rules, self.given


cdef class Hand:
    """One hand: what has happened to the chips, and which cards are known."""

    def __init__(self, Rules rules not None, tuple stacks not None):
        cdef int64_t chips[10]
        cdef int i
        if len(stacks) != rules.c.seats:
            raise VariantError(f"stacks {stacks}: expected {rules.c.seats}")
        for i in range(rules.c.seats):
            if not 0 < stacks[i] <= DEEP:
                raise VariantError(f"stack {stacks[i]} of position {i}: expected 1 to {DEEP} chips")
            chips[i] = stacks[i]
        self.rules = rules
        memset(self.cards, UNSEEN, CARDS)
        csrc.bc_state_start(&rules.c, chips, &self.c)

    # The chips

    @property
    def street(self):
        return self.c.street

    @property
    def to_act(self):
        return None if self.c.to_act < 0 else self.c.to_act

    @property
    def is_over(self):
        return self.c.to_act < 0

    @property
    def pot(self):
        return csrc.bc_state_pot(&self.rules.c, &self.c)

    @property
    def owed(self):
        return csrc.bc_state_legal(&self.rules.c, &self.c).owed

    @property
    def stacks(self):
        return self._chips(self.c.stack)

    @property
    def bets(self):
        return self._chips(self.c.bet)

    @property
    def committed(self):
        return self._chips(self.c.paid)

    @property
    def bets_made(self):
        return self.c.raises + (self.c.street == 0)

    @property
    def seats_in(self):
        return positions(self.c.players)

    @property
    def all_in(self):
        return tuple([i for i in positions(self.c.players) if self.c.stack[i] == 0])

    cdef tuple _chips(self, const int64_t *chips):
        cdef int i
        return tuple([chips[i] for i in range(self.rules.c.seats)])

    def bounds(self):
        """``(owed, least, most, bets made)`` of the player to act; least = 0: it may not bet or raise."""
        cdef csrc.bc_legal legal = csrc.bc_state_legal(&self.rules.c, &self.c)
        return legal.owed, legal.least, legal.most, self.bets_made

    def act(self, int kind, int64_t amount):
        """Do what is legal; return ``(seat, street, owed, paid, bets, pot)`` with what was before it."""
        if not csrc.bc_state_can(&self.rules.c, &self.c, kind, amount):
            raise IllegalAction(f"kind {kind} of action with {amount} chips: expected within {self.bounds()}")
        seat, street, owed, bets, pot = self.c.to_act, self.c.street, self.owed, self.bets_made, self.pot
        paid = csrc.bc_state_apply(&self.rules.c, &self.c, kind, amount)
        return seat, street, owed, paid, bets, pot

    def layers(self):
        """``((chips, positions that may win it), ...)``, the main pot first."""
        cdef csrc.bc_pot pots[10]
        cdef int k, n = csrc.bc_state_pots(&self.rules.c, &self.c, pots)
        return tuple([(pots[k].chips, positions(pots[k].contenders)) for k in range(n)])

    def payoffs(self, ranks=None):
        """Net chips by position, summing to 0; ``ranks`` by position (higher wins), None = the cards'.

        Raises
        ------
        IllegalAction
            The hand is not over.
        CardError
            The cards must decide, and one of them is unseen.
        """
        cdef uint16_t r[10]
        cdef int64_t chips[10]
        cdef int i
        if self.c.to_act >= 0:
            raise IllegalAction(f"payoffs: the hand is not over, position {self.c.to_act} is to act")
        memset(r, 0, sizeof(r))
        if ranks is not None:
            for i in range(self.rules.c.seats):
                r[i] = ranks[i]
        elif self.c.players & (self.c.players - 1):
            if () in [self.hole_of(i) for i in self.seats_in] or len(self.board) < 5:
                raise CardError(f"payoffs: expected hole cards of positions {self.seats_in} and a board of 5")
            csrc.bc_state_ranks(&self.rules.c, &self.c, self.cards, &self.cards[BOARD], r)
        csrc.bc_state_payoffs(&self.rules.c, &self.c, r, chips)
        return self._chips(chips)

    # The cards

    @property
    def board(self):
        cdef int i, shown = SHOWN[self.c.street]
        return tuple([self.cards[i] for i in range(BOARD, BOARD + shown) if self.cards[i] != UNSEEN])

    @property
    def holes(self):
        return tuple([self.hole_of(i) for i in range(self.rules.c.seats)])

    def hole_of(self, int seat):
        """Two ids, or ``()`` where unseen."""
        if not 0 <= seat < self.rules.c.seats:
            raise IllegalAction(f"seat {seat}: expected a position below {self.rules.c.seats}")
        if self.cards[2 * seat] == UNSEEN:
            return ()
        return self.cards[2 * seat], self.cards[2 * seat + 1]

    @property
    def known(self):
        """The cards by place: two for each of ten positions, then five of the board; 255 = unseen."""
        return self.cards[:CARDS]

    @known.setter
    def known(self, bytes cards not None):
        cdef const uint8_t *given = cards
        cdef uint64_t seen = 0
        cdef int i
        if len(cards) != CARDS:
            raise CardError(f"expected {CARDS} places for cards, got {len(cards)}")
        for i in range(CARDS):
            if i < BOARD and (given[i] == UNSEEN) != (given[i ^ 1] == UNSEEN):
                raise CardError(f"hole cards of position {i // 2}: expected both or none")
            if given[i] == UNSEEN:
                continue
            if given[i] > 51:
                raise CardError(f"card id {given[i]}: expected 0..51")
            if seen >> given[i] & 1:
                raise CardError(f"duplicate card {DECK[given[i]]!r} among hole cards and board")
            seen |= <uint64_t>1 << given[i]
        memcpy(self.cards, given, CARDS)

    cpdef Hand clone(self):
        """The same hand again; what a subclass adds is its own affair."""
        cdef Hand other = <Hand>(type(self).__new__(type(self)))
        other.rules = self.rules
        memcpy(&other.c, &self.c, sizeof(self.c))
        memcpy(other.cards, self.cards, CARDS)
        return other

    def seen_by(self, int seat):
        """A clone with what ``seat`` (-1 = nobody) may observe: own cards, the board, hands shown down."""
        if not -1 <= seat < self.rules.c.seats:
            raise IllegalAction(f"seat {seat}: expected a position below {self.rules.c.seats}")
        cdef Hand other = self.clone()
        cdef int i, shown = SHOWN[self.c.street]
        cdef bint showdown = self.c.to_act < 0 and self.c.players & (self.c.players - 1)
        for i in range(self.rules.c.seats):
            if i != seat and not (showdown and self.c.players >> i & 1):
                memset(&other.cards[2 * i], UNSEEN, 2)
        memset(&other.cards[BOARD + shown], UNSEEN, 5 - shown)
        return other

    def same(self, Hand other not None):
        """Whether chips and known cards are the same under the same rules."""
        return (self.rules.given == other.rules.given and memcmp(self.cards, other.cards, CARDS) == 0
                and memcmp(&self.c, &other.c, sizeof(self.c)) == 0)


def random_hands(variant, int64_t hands, uint64_t seed):
    """Play hands of a ``Variant`` to their ends, actions uniformly random, cards and showdowns included.

    The same seed plays the same hands. Returns all chips that were in the pots, as a checksum; where the
    payoffs of a hand do not sum to 0 the rules are broken, and an ``AssertionError`` names it.
    """
    cdef Rules rules = variant.rules
    cdef int64_t chips[10]
    cdef int64_t payoffs[10]
    cdef int64_t i, total = 0, net = 0
    cdef int k
    cdef csrc.bc_rng rng
    for i in range(rules.c.seats):
        chips[i] = variant.stacks[i] if variant.stacks else DEEP
    csrc.bc_rng_seed(&rng, seed)
    with nogil:
        for i in range(hands):
            total += csrc.bc_random_hand(&rules.c, chips, &rng, payoffs)
            net = 0
            for k in range(rules.c.seats):
                net += payoffs[k]
            if net:
                break
    if net:
        raise AssertionError(f"random hand {i} of seed {seed}: payoffs sum to {net}, expected 0")
    return total


def deal(uint64_t seed, uint64_t session, uint64_t hand, int count):
    """The first cards of the deck that belongs to (seed, session, hand), as ids."""
    cdef csrc.bc_rng rng
    cdef uint8_t deck[52]
    cdef int i, j
    if not 0 <= count <= 52:
        raise CardError(f"deal: expected 0..52 cards, got {count}")
    csrc.bc_rng_seed(&rng, seed)
    csrc.bc_rng_seed(&rng, csrc.bc_rng_next(&rng) ^ session)
    csrc.bc_rng_seed(&rng, csrc.bc_rng_next(&rng) ^ hand)
    for i in range(52):
        deck[i] = i
    for i in range(count):
        j = i + csrc.bc_rng_below(&rng, 52 - i)
        deck[i], deck[j] = deck[j], deck[i]
    return <bytes>(<char *>deck)[:count]
