// Cards as inline SVG, with their names in words.
import { svg } from "./dom.js";

const RANK = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven",
  6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };
const SUIT = { c: ["clubs", "♣"], d: ["diamonds", "♦"], h: ["hearts", "♥"], s: ["spades", "♠"] };

export const words = (card) => `${RANK[card[0]]} of ${SUIT[card[1]][0]}`;

// shown: two letters, or nothing for the back of a card; mark: a class, as "raised" for a card of the winning five.
export function card(shown, { mark = "" } = {}) {
  const name = `card ${shown ? shown[1] : "back"} ${mark}`.trim();
  const picture = svg("svg", { viewBox: "0 0 50 70", class: name, role: "img",
    "aria-label": shown ? words(shown) : "hidden card" });
  picture.append(svg("rect", { x: 1.5, y: 1.5, width: 47, height: 67, rx: 6 }));
  if (shown) {
    const rank = shown[0] === "T" ? "10" : shown[0];
    picture.append(svg("text", { x: 25, y: 33, class: "rank" }, rank),
      svg("text", { x: 25, y: 61, class: "suit" }, SUIT[shown[1]][1]));
  } else picture.append(svg("path", { d: "M10 12h30v46h-30z M10 12l30 46 M40 12l-30 46" }));
  return picture;
}
