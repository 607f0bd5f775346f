# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled hand: chips by the rules of game.h, and the known cards."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from baycarp.kernels cimport csrc

from baycarp.card import DECK
from baycarp.errors import CardError, IllegalAction, VariantError, brief
from baycarp.kernels.arguments import MOST_INT64, MOST_SEED, whole

__all__ = ["CALL", "DEEP", "FOLD", "RAISE", "Hand", "Rules", "deal", "random_hands"]

DEEP = 1 << 40  # an unlimited stack; the sum of ten does not overflow
FOLD, CALL, RAISE = csrc.BC_FOLD, csrc.BC_CALL, csrc.BC_RAISE

cdef enum:
    UNSEEN = 255
    CHUNK = 4096  # random hands between two checks for signals
    BOARD = 20  # index of the board in `cards`, after two cards for each of ten seats
    CARDS = 25

cdef int SHOWN[4]
SHOWN[:] = [0, 3, 4, 5]


cdef tuple positions(int mask):
    cdef int i
    return tuple([i for i in range(10) if mask >> i & 1])


cdef class Rules:
    """The rules of a game, compiled; ``Variant`` has checked them."""

    def __init__(self, str betting, tuple blinds, tuple antes, int64_t least, tuple sizes, tuple max_raises,
                 tuple first):
        cdef int i, seats = len(blinds)
        cdef bint limit = betting == "limit"
        self.given = (betting, blinds, antes, least, sizes, max_raises, first)
        memset(&self.c, 0, sizeof(self.c))
        self.c.seats, self.c.limit, self.c.pot_limit = seats, limit, betting == "pot-limit"
        self.c.big_blind = least
        self.c.dead_antes = len(set(antes)) > 1
        for i in range(seats):
            self.c.blinds[i], self.c.antes[i] = blinds[i], antes[i]
        for i in range(csrc.BC_STREETS):
            self.c.raise_sizes[i] = sizes[i] if limit else 0
            self.c.max_raises[i] = csrc.BC_NO_CAP if max_raises[i] is None else max_raises[i]
            self.c.first[i] = csrc.BC_NO_BETTING if first[i] < 0 else first[i]

    def __reduce__(self):
        return Rules, self.given


cdef class Hand:
    """One hand: the state of its chips, and the known cards."""

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
        self.gone = 0
        memset(self.cards, UNSEEN, CARDS)
        csrc.bc_state_start(&rules.c, chips, &self.c)

    # The chips

    @property
    def street(self):
        """0 before the flop .. 3 on the river."""
        return self.c.street

    @property
    def to_act(self):
        """The position to act; None when the hand is over."""
        return None if self.c.to_act < 0 else self.c.to_act

    @property
    def is_over(self):
        """Whether no player may act any more."""
        return self.c.to_act < 0

    @property
    def pot(self):
        """All chips in the pot."""
        return csrc.bc_state_pot(&self.rules.c, &self.c)

    @property
    def owed(self):
        """The chips of a call; 0 = a check is free."""
        return csrc.bc_state_legal(&self.rules.c, &self.c).owed

    @property
    def stacks(self):
        """The chips that are left, by position."""
        return self._chips(self.c.stack)

    @property
    def bets(self):
        """The chips put in on this street, by position."""
        return self._chips(self.c.bet)

    @property
    def committed(self):
        """The chips put in so far, by position."""
        return self._chips(self.c.paid)

    @property
    def bets_made(self):
        """The bets and raises of this street, the big blind among them."""
        return self.c.raises + (self.c.street == 0)

    @property
    def seats_in(self):
        """The positions that have not folded."""
        return positions(self.c.players)

    @property
    def all_in(self):
        """The positions in without chips left."""
        return tuple([i for i in positions(self.c.players) if self.c.stack[i] == 0])

    cdef tuple _chips(self, const int64_t *chips):
        cdef int i
        return tuple([chips[i] for i in range(self.rules.c.seats)])

    def bounds(self):
        """``(owed, least, most, bets made)`` of the player to act; least = 0: a bet or raise is illegal."""
        cdef csrc.bc_legal legal = csrc.bc_state_legal(&self.rules.c, &self.c)
        return legal.owed, legal.least, legal.most, self.bets_made

    def act(self, kind, amount):
        """Apply a legal action; return ``(seat, street, owed, paid, bets, pot)`` of the state before it."""
        cdef int verb = -1
        cdef int64_t chips = 0
        try:
            verb, chips = kind, amount
        except (OverflowError, ValueError):
            verb = -1
        if not csrc.bc_state_can(&self.rules.c, &self.c, verb, chips):
            raise IllegalAction(f"kind {kind} of action with {amount} chips: expected within {self.bounds()}")
        seat, street, owed, bets, pot = self.c.to_act, self.c.street, self.owed, self.bets_made, self.pot
        paid = csrc.bc_state_apply(&self.rules.c, &self.c, verb, chips)
        return seat, street, owed, paid, bets, pot

    def layers(self):
        """``((chips, contending positions), ...)``, the main pot first."""
        cdef csrc.bc_pot pots[10]
        cdef int k, n = csrc.bc_state_pots(&self.rules.c, &self.c, pots)
        return tuple([(pots[k].chips, positions(pots[k].contenders)) for k in range(n)])

    def payoffs(self, ranks=None):
        """Net chips by position, summing to 0.

        Parameters
        ----------
        ranks
            Of the hands by position, 0 to 65535; the higher wins. None = the ranks of the cards; a
            mucked hand loses, and the only one that is not mucked wins unseen.

        Raises
        ------
        IllegalAction
            The hand is not over.
        CardError
            A showdown with an unseen card, or ranks of another number or range.
        VariantError
            The payoffs do not sum to 0, which is a defect of the rules.
        """
        cdef uint16_t r[10]
        cdef int64_t chips[10]
        cdef int i
        if self.c.to_act >= 0:
            raise IllegalAction(f"payoffs: the hand is not over, position {self.c.to_act} is to act")
        memset(r, 0, sizeof(r))
        if ranks is not None:
            if len(ranks) != self.rules.c.seats or not all([0 <= rank <= 65535 for rank in ranks]):
                raise CardError(f"ranks {ranks}: expected {self.rules.c.seats} from 0 to 65535")
            for i in range(self.rules.c.seats):
                r[i] = ranks[i]
        elif self.c.players & (self.c.players - 1):
            self._rank(r)
        if not csrc.bc_state_payoffs(&self.rules.c, &self.c, r, chips):
            raise VariantError(f"payoffs {self._chips(chips)}: expected a sum of 0")
        return self._chips(chips)

    cdef int _rank(self, uint16_t *ranks) except -1:
        """The ranks at a showdown: 0 for a mucked hand."""
        cdef uint16_t shown = self.c.players & ~self.gone
        cdef csrc.bc_state showing = self.c
        cdef int i
        if not shown & (shown - 1):
            for i in range(self.rules.c.seats):
                ranks[i] = shown >> i & 1
            return 0
        if () in [self.hole_of(i) for i in positions(shown)] or len(self.board) < 5:
            raise CardError(f"payoffs: expected hole cards of positions {positions(shown)} and a board of 5")
        showing.players = shown
        csrc.bc_state_ranks(&self.rules.c, &showing, self.cards, &self.cards[BOARD], ranks)
        return 0

    # The cards

    @property
    def mucked(self):
        """The positions that gave up their hands at the showdown, unseen."""
        return positions(self.gone)

    @mucked.setter
    def mucked(self, tuple seats not None):
        cdef uint16_t gone = 0
        for seat in seats:
            if not 0 <= seat < self.rules.c.seats:
                raise CardError(f"mucked hand of position {seat}: expected one below {self.rules.c.seats}")
            gone |= 1 << seat
        self.gone = gone

    @property
    def board(self):
        """The cards shown, up to the street."""
        cdef int i, shown = SHOWN[self.c.street]
        return tuple([self.cards[i] for i in range(BOARD, BOARD + shown) if self.cards[i] != UNSEEN])

    @property
    def holes(self):
        """The known hole cards, by position."""
        return tuple([self.hole_of(i) for i in range(self.rules.c.seats)])

    def hole_of(self, seat):
        """Two ids, or ``()`` if unseen."""
        if not 0 <= seat < self.rules.c.seats:
            raise IllegalAction(f"seat {seat}: expected a position below {self.rules.c.seats}")
        cdef int at = 2 * seat
        return () if self.cards[at] == UNSEEN else (self.cards[at], self.cards[at + 1])

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
        """A copy; a subclass copies its own attributes."""
        cdef Hand other = <Hand>(type(self).__new__(type(self)))
        other.rules = self.rules
        memcpy(&other.c, &self.c, sizeof(self.c))
        memcpy(other.cards, self.cards, CARDS)
        other.gone = self.gone
        return other

    def seen_by(self, seat):
        """A copy with the cards that ``seat`` (-1 = none) may observe: its own, the board, hands shown down."""
        if not -1 <= seat < self.rules.c.seats:
            raise IllegalAction(f"seat {seat}: expected a position below {self.rules.c.seats}")
        cdef Hand other = self.clone()
        cdef int i, own = seat, shown = SHOWN[self.c.street]
        cdef bint showdown = self.c.to_act < 0 and self.c.players & (self.c.players - 1)
        for i in range(self.rules.c.seats):
            if i != own and not (showdown and (self.c.players & ~self.gone) >> i & 1):
                memset(&other.cards[2 * i], UNSEEN, 2)
        memset(&other.cards[BOARD + shown], UNSEEN, 5 - shown)
        return other

    def same(self, Hand other not None):
        """Whether rules, chips and known cards are equal."""
        return (self.rules.given == other.rules.given and self.gone == other.gone
                and memcmp(self.cards, other.cards, CARDS) == 0 and memcmp(&self.c, &other.c, sizeof(self.c)) == 0)


cdef int read_act(const csrc.bc_variant *variant, const csrc.bc_state *state, object act, int number,
                  int *kind, int64_t *amount) except -1:
    """Read the kind and amount of an act, the ``number``-th of a hand, which must be legal in the state."""
    cdef int k
    cdef int64_t chips
    try:
        k, chips = act
    except (OverflowError, ValueError):
        k, chips = -1, 0
    if not csrc.bc_state_can(variant, state, k, chips):
        raise IllegalAction(f"act {number}, {tuple(act)}: expected a legal kind and amount")
    kind[0], amount[0] = k, chips
    return 0


def random_hands(variant, hands, seed):
    """Play hands of a ``Variant`` to their ends, actions uniformly random, cards and showdowns included.

    The same seed gives the same hands. Ctrl-C stops the call within some thousand hands.

    Parameters
    ----------
    variant
        A ``baycarp.game.Variant``; without stacks each player has ``DEEP`` chips.
    hands
        Number of hands, 0 to 2**63 - 1.
    seed
        0 to 2**64 - 1.

    Returns
    -------
    int
        The chips of all pots, as a checksum.

    Raises
    ------
    ArgumentError
        A number out of its range.
    VariantError
        A hand whose payoffs do not sum to 0.
    """
    cdef Rules rules = variant.rules
    cdef int64_t chips[10]
    cdef int64_t payoffs[10]
    cdef int64_t count, until, pot = 0, pots, hand = 0
    cdef uint64_t start
    cdef int k
    cdef csrc.bc_rng rng
    count, start = whole(hands, "hands", 0, MOST_INT64), whole(seed, "seed", 0, MOST_SEED)
    for k in range(rules.c.seats):
        chips[k] = variant.stacks[k] if variant.stacks else DEEP
    csrc.bc_rng_seed(&rng, start)
    total = 0
    while hand < count:
        until, pots = min(hand + CHUNK, count), 0
        with nogil:
            while hand < until:
                pot = csrc.bc_random_hand(&rules.c, chips, &rng, payoffs)
                if pot < 0:
                    break
                pots += pot
                hand += 1
        if pot < 0:
            raise VariantError(f"random hand {hand} of seed {seed}: payoffs do not sum to 0")
        total += pots
        PyErr_CheckSignals()
    return total


def deal(seed, session, hand, count):
    """The first cards of the deck of (seed, session, hand).

    Parameters
    ----------
    seed, session, hand
        0 to 2**64 - 1 each.
    count
        Number of cards, 0 to 52.

    Returns
    -------
    bytes
        Card ids.

    Raises
    ------
    CardError
        A number out of its range.
    """
    cdef csrc.bc_rng rng
    cdef uint8_t deck[52]
    cdef uint64_t numbers[3]
    cdef int i, j, dealt
    try:
        numbers[0], numbers[1], numbers[2], dealt = seed, session, hand, count
    except (OverflowError, ValueError):
        dealt = -1
    if not 0 <= dealt <= 52:
        given = ", ".join(map(brief, (seed, session, hand, count)))
        raise CardError(f"deal({given}): expected three numbers from 0 to 2**64 - 1 and 0 to 52 cards")
    csrc.bc_rng_seed(&rng, numbers[0])
    for i in range(1, 3):
        csrc.bc_rng_seed(&rng, csrc.bc_rng_next(&rng) ^ numbers[i])
    for i in range(52):
        deck[i] = i
    for i in range(dealt):
        j = i + csrc.bc_rng_below(&rng, 52 - i)
        deck[i], deck[j] = deck[j], deck[i]
    return <bytes>(<char *>deck)[:dealt]
