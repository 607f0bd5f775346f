// Cards as inline SVG, with their names in words.
const RANK = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven",
  6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };
const SUIT = { c: ["clubs", "♣"], d: ["diamonds", "♦"], h: ["hearts", "♥"], s: ["spades", "♠"] };
const SVG = "http://www.w3.org/2000/svg";

export function element(name, settings = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(settings)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

export function svg(name, settings = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(settings)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const words = (card) => `${RANK[card[0]]} of ${SUIT[card[1]][0]}`;

export function card(shown) {
  const picture = svg("svg", { viewBox: "0 0 50 70", class: shown ? `card ${shown[1]}` : "card back", role: "img",
    "aria-label": shown ? words(shown) : "hidden card" });
  picture.append(svg("rect", { x: 1, y: 1, width: 48, height: 68, rx: 6 }));
  if (shown) {
    const rank = shown[0] === "T" ? "10" : shown[0];
    picture.append(svg("text", { x: 25, y: 33, class: "rank" }, rank), svg("text", { x: 25, y: 60, class: "suit" }, SUIT[shown[1]][1]));
  } else picture.append(svg("path", { d: "M10 12h30v46h-30z M10 12l30 46 M40 12l-30 46" }));
  return picture;
}
