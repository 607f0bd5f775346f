# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled hand: chips by the rules of game.h, and the cards that are known."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from baycarp.kernels cimport csrc

from baycarp.card import DECK
from baycarp.errors import CardError, IllegalAction, VariantError

__all__ = ["FOLD", "CALL", "RAISE", "Hand", "Rules"]

FOLD, CALL, RAISE = csrc.BC_FOLD, csrc.BC_CALL, csrc.BC_RAISE

cdef enum:
    UNSEEN = 255
    BOARD = 20  # where the five board cards stand, after two for each of ten seats
    CARDS = 25

cdef int SHOWN[4]
SHOWN[:] = [0, 3, 4, 5]


cdef class Rules:
    """What was agreed, compiled; ``Variant`` has checked it."""

    cdef csrc.bc_variant c
    cdef tuple given

    def __init__(self, bint limit, tuple blinds, tuple antes, tuple raise_sizes, tuple max_raises, tuple first):
        cdef int i, seats = len(blinds)
        self.given = (limit, blinds, antes, raise_sizes, max_raises, first)
        memset(&self.c, 0, sizeof(self.c))
        self.c.seats, self.c.limit = seats, limit
        self.c.big_blind = max(blinds)
        self.c.dead_antes = len(set(antes)) > 1
        for i in range(seats):
            self.c.blinds[i], self.c.antes[i] = blinds[i], antes[i]
        for i in range(csrc.BC_STREETS):
            self.c.raise_sizes[i] = raise_sizes[i] if limit else 0
            self.c.max_raises[i] = csrc.BC_NO_CAP if max_raises[i] is None else max_raises[i]
            self.c.first[i] = first[i]

    def __reduce__(self):
        return Rules, self.given


cdef class Hand:
    """One hand: what has happened to the chips, and which cards are known."""

    cdef readonly Rules rules
    cdef csrc.bc_state c
    cdef uint8_t cards[CARDS]

    def __init__(self, Rules rules not None, tuple stacks not None):
        cdef int64_t chips[10]
        cdef int i, seats = rules.c.seats
        if len(stacks) != seats:
            raise VariantError(f"stacks {stacks}: expected {seats}")
        for i in range(seats):
            chips[i] = stacks[i]
            if chips[i] <= 0:
                raise VariantError(f"stack {stacks[i]} of position {i}: expected at least 1 chip")
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
        return tuple([i for i in range(self.rules.c.seats) if self.c.players >> i & 1])

    @property
    def all_in(self):
        return tuple([i for i in range(self.rules.c.seats) if self.c.players >> i & 1 and self.c.stack[i] == 0])

    cdef tuple _chips(self, const int64_t *chips):
        cdef int i
        return tuple([chips[i] for i in range(self.rules.c.seats)])

    def bounds(self):
        """``(owed, least, most, bets made)`` of the player to act; least = 0: he may not bet or raise."""
        cdef csrc.bc_legal legal = csrc.bc_state_legal(&self.rules.c, &self.c)
        return legal.owed, legal.least, legal.most, self.bets_made

    def act(self, int kind, int64_t amount):
        """Do what is legal; return ``(seat, street, owed, paid, bets, pot)`` with what was before it."""
        cdef csrc.bc_legal legal = csrc.bc_state_legal(&self.rules.c, &self.c)
        cdef int seat = self.c.to_act, street = self.c.street
        if seat < 0 or (kind == csrc.BC_FOLD and not legal.owed) or (
            kind == csrc.BC_RAISE and not (legal.least and legal.least <= amount <= legal.most)
        ):
            raise IllegalAction(f"action {kind} with {amount} chips: expected within {self.bounds()}")
        cdef int64_t pot = csrc.bc_state_pot(&self.rules.c, &self.c)
        bets = self.bets_made
        paid = csrc.bc_state_apply(&self.rules.c, &self.c, kind, amount)
        return seat, street, legal.owed, paid, bets, pot

    def layers(self):
        """``((chips, positions that may win it), ...)``, the main pot first."""
        cdef csrc.bc_pot pots[10]
        cdef int i, k, n = csrc.bc_state_pots(&self.rules.c, &self.c, pots)
        return tuple([
            (pots[k].chips, tuple([i for i in range(self.rules.c.seats) if pots[k].contenders >> i & 1]))
            for k in range(n)
        ])

    def settle(self, ranks=None):
        """Net chips by position. ``ranks`` by position (higher wins) where two or more are in."""
        cdef uint16_t r[10]
        cdef int64_t payoffs[10]
        cdef int i
        if self.c.to_act >= 0:
            raise IllegalAction(f"payoffs: the hand is not over, position {self.c.to_act} is to act")
        memset(r, 0, sizeof(r))
        if ranks is not None:
            for i in range(self.rules.c.seats):
                r[i] = ranks[i]
        csrc.bc_state_payoffs(&self.rules.c, &self.c, r, payoffs)
        return self._chips(payoffs)

    # The cards

    @property
    def board(self):
        cdef int i
        return tuple([self.cards[BOARD + i] for i in range(SHOWN[self.c.street]) if self.cards[BOARD + i] != UNSEEN])

    @property
    def holes(self):
        return tuple([self.hole_of(i) for i in range(self.rules.c.seats)])

    def hole_of(self, int seat):
        """Two ids, or ``()`` where unseen."""
        if self.cards[2 * seat] == UNSEEN:
            return ()
        return self.cards[2 * seat], self.cards[2 * seat + 1]

    def put_deck(self, const uint8_t[::1] deck not None):
        """Hole cards position by position, then the board; ``deck`` holds ids, (2 * seats + 5,)."""
        cdef int i, holes = 2 * self.rules.c.seats
        if deck.shape[0] != holes + 5:
            raise CardError(f"deck: expected {holes} hole cards and 5 of the board, got {deck.shape[0]} cards")
        memset(self.cards, UNSEEN, CARDS)
        for i in range(holes):
            self.cards[i] = deck[i]
        for i in range(5):
            self.cards[BOARD + i] = deck[holes + i]
        self._check_cards()

    def put_hole(self, int seat, const uint8_t[::1] hole not None):
        """The hole cards of one position; none = unseen."""
        if not 0 <= seat < self.rules.c.seats or hole.shape[0] not in (0, 2):
            raise CardError(f"hole cards of position {seat}: expected 2 for a position below {self.rules.c.seats}, "
                            f"got {hole.shape[0]}")
        memset(&self.cards[2 * seat], UNSEEN, 2)
        if hole.shape[0]:
            memcpy(&self.cards[2 * seat], &hole[0], 2)
        self._check_cards()

    def put_board(self, const uint8_t[::1] board not None):
        """The first cards of the board, up to five; the others become unseen."""
        if board.shape[0] > 5:
            raise CardError(f"board: expected at most 5 cards, got {board.shape[0]}")
        memset(&self.cards[BOARD], UNSEEN, 5)
        if board.shape[0]:
            memcpy(&self.cards[BOARD], &board[0], board.shape[0])
        self._check_cards()

    cdef int _check_cards(self) except -1:
        cdef uint64_t seen = 0
        cdef int i, card
        for i in range(CARDS):
            card = self.cards[i]
            if card == UNSEEN:
                continue
            if card > 51:
                raise CardError(f"card id {card}: expected 0..51")
            if seen >> card & 1:
                raise CardError(f"duplicate card {DECK[card]!r} among hole cards and board")
            seen |= <uint64_t>1 << card
        return 0

    def take_cards(self, Hand other not None):
        """Know what another hand knows."""
        memcpy(self.cards, other.cards, CARDS)

    # Copies

    cpdef Hand clone(self):
        """The same hand again; what a subclass adds is its own affair."""
        cdef Hand other = <Hand>(type(self).__new__(type(self)))
        other.rules = self.rules
        memcpy(&other.c, &self.c, sizeof(self.c))
        memcpy(other.cards, self.cards, CARDS)
        return other

    def seen_by(self, int seat):
        """A clone that knows only the hole cards of ``seat`` (-1 = of nobody) and the board that is shown."""
        cdef Hand other = self.clone()
        cdef int shown = SHOWN[self.c.street]
        memset(other.cards, UNSEEN, BOARD)
        memset(&other.cards[BOARD + shown], UNSEEN, 5 - shown)
        if seat >= 0:
            memcpy(&other.cards[2 * seat], &self.cards[2 * seat], 2)
        return other

    def same(self, Hand other not None):
        """Whether chips and known cards are the same under the same rules."""
        return (self.rules.given == other.rules.given
                and memcmp(self.cards, other.cards, CARDS) == 0
                and memcmp(&self.c, &other.c, sizeof(self.c)) == 0)
