// A grid of 13 x 13 starting hands: pressed, painted by dragging, walked by arrow keys.
import { element } from "./dom.js";

const RANKS = "AKQJT98765432";
export const CLASSES = Array.from({ length: 169 }, (_, at) => {
  const i = Math.floor(at / 13), j = at % 13;
  return i === j ? RANKS[i] + RANKS[i] : i < j ? `${RANKS[i]}${RANKS[j]}s` : `${RANKS[j]}${RANKS[i]}o`;
});

export const percent = (x) => x == null ? "–" : x > 0 && x < 0.0005 ? "<0.1 %" : `${(100 * x).toFixed(x > 0 && x < 0.0995 ? 1 : 0)} %`;
export const chips = (x) => x == null ? "–" : x.toFixed(Math.abs(x) >= 1000 ? 0 : Math.abs(x) >= 100 ? 1 : 2).replace(/^-(?=[0.]*$)/, "");

// An action with its size as a share of the pot.
const short = (name) => name.replace(/\d+\.\d+/, (chips) => Number(chips).toFixed(1));
export const label = ({ name, kind, pot }) => `${short(name)}${pot != null && kind !== "all-in" ? ` (${Math.round(100 * pot)} %)` : ""}`;

// press: a cell by click or key; paint: every cell that a drag enters, then done once; show: the cell that is
// pointed at or focused.
export function makeGrid(label, { press, paint, done, show }) {
  let dragging = false, focused = 0;
  const cells = CLASSES.map((name, at) => element("div", { role: "gridcell", class: "hand", tabindex: at ? -1 : 0, "data-at": at },
    element("span", {}, name), element("small", {})));
  const focus = (at) => { cells[focused].tabIndex = -1; focused = at; cells[at].tabIndex = 0; cells[at].focus(); };
  const place = element("div", { role: "grid", "aria-label": label, class: paint ? "hands painted" : "hands" },
    ...Array.from({ length: 13 }, (_, row) => element("div", { role: "row", class: "row" }, ...cells.slice(13 * row, 13 * row + 13))));
  const of = (target) => { const cell = target?.closest?.(".hand"); return cell && place.contains(cell) ? Number(cell.dataset.at) : null; };
  place.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 }[event.key];
    if (move) {
      const column = focused % 13 + (Math.abs(move) === 1 ? move : 0), to = focused + move;
      if (column >= 0 && column < 13 && to >= 0 && to < 169) focus(to);
    } else if (event.key === "Enter" || event.key === " ") {
      if (paint) { paint(focused, true); done(); } else press(focused);
    } else return;
    event.preventDefault(); event.stopPropagation();
  });
  if (show) for (const kind of ["pointerover", "focusin"]) place.addEventListener(kind, (event) => {
    const at = of(event.target);
    if (at != null) show(at);
  });
  if (paint) {
    place.addEventListener("pointerdown", (event) => {
      const at = of(event.target);
      if (at == null || event.button) return;
      event.preventDefault(); dragging = true; paint(at, true); focus(at);
    });
    place.addEventListener("pointermove", (event) => {
      if (!dragging) return;
      const at = of(document.elementFromPoint(event.clientX, event.clientY));
      if (at != null) paint(at, false);
    });
    const end = () => { if (dragging) { dragging = false; done(); } };
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  } else place.addEventListener("click", (event) => { const at = of(event.target); if (at != null) { focus(at); press(at); } });
  return { place, cells };
}

// Parts: [colour, share] from left to right; tall: 0..1 of the cell; text under the name; words for a reader.
export function fill(cell, parts, tall, text, words) {
  let left = 0;
  const stops = parts.filter(([, share]) => share > 0.004).map(([colour, share]) => {
    const stop = `var(--${colour}) ${(100 * left).toFixed(1)}% ${(100 * (left + share)).toFixed(1)}%`;
    left += share;
    return stop;
  });
  if (left < 0.996) stops.push(`transparent ${(100 * left).toFixed(1)}% 100%`);
  cell.style.backgroundImage = tall > 0 ? `linear-gradient(to right, ${stops.join(", ")})` : "none";
  cell.style.backgroundSize = `100% ${(100 * Math.max(tall, tall > 0 ? 0.08 : 0)).toFixed(1)}%`;
  cell.classList.toggle("absent", !(tall > 0));
  cell.lastChild.textContent = text ?? "";
  cell.setAttribute("aria-label", `${cell.firstChild.textContent}: ${words}`);
  cell.title = cell.getAttribute("aria-label");
}
