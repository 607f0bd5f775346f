"""The page by the rules of axe-core (WCAG 2.2 A and AA), in light and dark; and the order of the focus."""

import pytest


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_no_rule_of_axe_is_broken(visit, play_the_hand, turn, faults, scheme, width):
    page = visit(viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    turn(page)
    assert faults(page) == []
    play_the_hand(page)
    assert faults(page) == []
    page.locator(".why").first.click()
    page.wait_for_selector("#panel h2")
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector("#panel", state="hidden")
    page.click("#views a.hands")
    page.locator("#hands .line").first.click()
    page.wait_for_selector("#forward")
    assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_in_a_grid_have_contrast_at_every_weight(visit, luminance, scheme):
    """Axe judges no text in pictures."""
    page = visit(color_scheme=scheme)
    colours = page.evaluate(
        "() => ['--ink', '--cell', '--paper']"
        ".map(name => getComputedStyle(document.body).getPropertyValue(name))"
    )
    ink, cell, paper = ([int(c.ljust(7, c[-1])[i : i + 2], 16) for i in (1, 3, 5)] for c in colours)
    for weight in range(101):
        opacity = 0.06 + 0.94 * weight / 100
        ground = [low + (high - low) * opacity for low, high in zip(paper, cell, strict=True)]
        low, high = sorted((luminance(ink), luminance(ground)))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_tab_leads_through_the_controls_in_the_order_that_is_seen(visit, turn):
    page = visit(viewport={"width": 1280, "height": 800})
    turn(page)
    order = []
    page.locator("#views a").last.focus()
    for _ in range(8):
        page.keyboard.press("Tab")
        at = page.evaluate(
            "() => { const at = document.activeElement, style = getComputedStyle(at);"
            " return [at.id, at.matches(':focus-visible') && style.outlineStyle !== 'none']; }"
        )
        if not at[0]:
            break
        assert at[1], f"no visible focus: {at[0]}"
        order.append(at[0])
    enabled = page.evaluate(
        "() => [...document.querySelectorAll('button, select, input')].filter(each => !each.disabled"
        " && each.offsetParent).map(each => each.id)"
    )
    assert order == enabled[: len(order)]
    assert {"pause", "pace", "stay", "bet"} <= {*order}
