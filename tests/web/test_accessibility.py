"""The page by the rules of axe-core (WCAG 2.2 A and AA), in light and dark; and the order of the focus."""

import pytest

SCHEMES = ("light", "dark")


@pytest.fixture(
    params=[
        pytest.param(((320, "dark"), (1280, "light")), id="every width and scheme"),
        pytest.param(((320, "light"), (1280, "dark")), id="the other pairs", marks=pytest.mark.slow),
    ]
)
def faults_in_views(request, faults):
    """The faults of a page in some pairs of a width and a scheme."""

    def found(page):
        several = []
        for width, scheme in request.param:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            several += [(width, scheme, *fault) for fault in faults(page)]
        return several

    return found


def test_no_rule_of_axe_is_broken(visit, play_the_hand, turn, faults_in_views):
    page = visit()
    turn(page)
    assert faults_in_views(page) == []
    play_the_hand(page)
    assert faults_in_views(page) == []
    page.locator(".why").first.click()
    page.wait_for_selector("#panel h2")
    assert faults_in_views(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector("#panel", state="hidden")
    page.click("#views a.hands")
    page.locator("#hands .line").first.click()
    page.wait_for_selector("#forward")
    assert faults_in_views(page) == []


@pytest.mark.slow
def test_names_in_a_grid_have_contrast_at_every_weight(visit, luminance):
    """Axe judges no text in pictures."""
    page = visit()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert least_contrast(page, luminance) >= 4.5


def least_contrast(page, luminance):
    """Of the ink and a cell of any weight."""
    contrasts = []
    colours = page.evaluate(
        "() => ['--ink', '--cell', '--paper']"
        ".map(name => getComputedStyle(document.body).getPropertyValue(name))"
    )
    ink, cell, paper = ([int(c.ljust(7, c[-1])[i : i + 2], 16) for i in (1, 3, 5)] for c in colours)
    for weight in range(101):
        opacity = 0.06 + 0.94 * weight / 100
        ground = [low + (high - low) * opacity for low, high in zip(paper, cell, strict=True)]
        low, high = sorted((luminance(ink), luminance(ground)))
        contrasts.append((high + 0.05) / (low + 0.05))
    return min(contrasts)


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
