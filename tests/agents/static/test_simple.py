from baycarp.agents.registry import load
from baycarp.game.state import State
from baycarp.game.variant import Variant


def test_always_call_and_always_raise():
    state = State(Variant.ring(3))
    assert load("call").decide(state.observe(2)).action.name == "call"
    assert str(load("raise").decide(state.observe(2)).action) == "raise to 4"
    for _ in range(3):
        state.apply(state.named("raise"))
    assert load("raise").decide(state.observe(2)).action.name == "call"
    deep = State(Variant.ring(3, betting="no-limit", stacks=(200,) * 3))
    assert str(load("raise").decide(deep.observe(2)).action) == "raise to 4"


def test_random_is_uniform_and_seeded():
    state, agent = State(Variant.ring(3)), load("random")

    def drawn(seed):
        agent.sit(2, state.variant, seed)
        return [agent.decide(state.observe(2, hand=number)).action.name for number in range(900)]

    assert drawn(1) == drawn(1) != drawn(2)
    counts = {name: drawn(1).count(name) for name in ("fold", "call", "raise")}
    assert sum(counts.values()) == 900
    assert all(abs(count - 300) < 5 * 14.2 for count in counts.values())
