// Chips as inline SVG: a stack of at most six discs, the greatest values below.
import { element, svg } from "./dom.js";

const VALUES = [10000, 2500, 500, 100, 25, 5, 1];
const MOST = 6;

function discs(amount) {
  const found = [];
  let rest = amount;
  for (const value of VALUES) {
    while (rest >= value && found.length < MOST) { found.push(value); rest -= value; }
  }
  return found;
}

export function stack(amount) {
  const pile = discs(amount);
  return svg("svg", { viewBox: "0 0 24 36", class: "pile", "aria-hidden": "true" }, ...pile.flatMap((value, level) => {
    const y = 28 - 4 * level;
    return [svg("path", { d: `M1 ${y}v3a11 5 0 0 0 22 0v-3`, class: `disc c${value}` }),
      svg("ellipse", { cx: 12, cy: y, rx: 11, ry: 5, class: `disc c${value}` }),
      svg("ellipse", { cx: 12, cy: y, rx: 6.5, ry: 2.7, class: "ring" })];
  }));
}

export const chips = (amount, settings) => element("span", settings, stack(amount), element("b", {}, String(amount)));
