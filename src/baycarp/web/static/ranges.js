// The range of an opponent: how many combos of each starting hand it holds, as a shade and in numbers.
import { element } from "./dom.js";
import { CLASSES, makeGrid } from "./grid.js";
import { percent } from "./values.js";

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const count = (combos) => combos.toFixed(combos < 99.95 && combos % 1 ? 1 : 0);
const inWords = (name, held, of) =>
  `${name}: ${of ? `${count(held)} of ${of} combos, ${percent(held / of)}` : "no combo, the cards are known"}`;

// The shade is linear; a combo of the likeliest weight counts 1.
export function rangeOf({ player, range: { held, of } }) {
  const all = sum(held) > sum(of) - 0.5 ? "any two cards" : `${count(sum(held))} of ${sum(of)} combos`;
  const read = element("p", { class: "read", "aria-hidden": "true" });
  let shown = null;
  function show(at) {
    read.textContent = inWords(CLASSES[at], held[at], of[at]);
    shown?.classList.remove("shown");
    shown = cells[at];
    shown.classList.add("shown");
  }
  const { place, cells } = makeGrid(`What ${player} may hold`, { press: show, show });
  cells.forEach((cell, at) => {
    cell.style.setProperty("--share", `${(of[at] ? 100 * held[at] / of[at] : 0).toFixed(1)}%`);
    cell.setAttribute("aria-label", inWords(CLASSES[at], held[at], of[at]));
  });
  show(held.reduce((best, _, at) => held[at] > held[best] ? at : best, 0));
  const scale = element("p", { class: "scale" }, "none", element("i", { "aria-hidden": "true" }), "every combo");
  return element("figure", { class: "range-of" }, element("figcaption", {}, `What ${player} may hold: ${all}`),
    read, place, scale);
}
