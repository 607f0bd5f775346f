// One decision of a review or a drill, as the coach sends it.
import { card } from "./cards.js";
import { element, svg } from "./dom.js";

export const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const cards = (shown, label) => element("span", { class: "cards", role: "group", "aria-label": label },
    ...shown.map(card));

// The cards, the position, the pot, and the actions so far, a street a line.
export function situation(spot) {
  const streets = [];
  for (const act of spot.acts) {
    if (streets.at(-1)?.street !== act.street) streets.push({ street: act.street, acts: [] });
    streets.at(-1).acts.push(`${act.who} ${act.action}`);
  }
  return element("div", { class: "spot-situation" },
    element("div", { class: "situation" }, cards(spot.hole, "your cards"), spot.board.length ? cards(spot.board,
        "board") : null),
    element("p", {}, `You are ${spot.seat}. Pot ${spot.pot}${spot.owed ? `, ${spot.owed} to call` : ""}.`),
    element("ol", { class: "acts", "aria-label": "Actions so far" }, ...streets.map(({ street, acts }) =>
      element("li", {}, element("b", {}, `${upper(street)}: `), acts.join(", ")))));
}

function bar({ value, error }, low, high) {
  const at = (x) => 100 * (x - low) / (high - low || 1);
  const line = (d, name) => svg("path", { d, class: name, "vector-effect": "non-scaling-stroke" });
  return svg("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { x: Math.min(at(value), at(0)), y: 1, width: Math.abs(at(value) - at(0)), height: 10,
        class: value > 0 ? "bar" : "loss" }),
    line(`M${at(0)} 0V12`, "zero"), line(`M${at(value - error)} 6H${at(value + error)}`, "error"));
}

// What each action wins from here on, the best first.
export function worth(spot) {
  const valued = spot.answers.filter(({ value }) => value != null).sort((a, b) => b.value - a.value);
  const ends = valued.flatMap(({ value, error }) => [value - error, value + error]), low = Math.min(0, ...ends),
      high = Math.max(0, ...ends);
  return scroll("What each action wins", element("table", { class: "values worth" },
    element("caption", {}, "What each action wins from here on, in big blinds; a fold is 0"),
    element("thead", {}, element("tr", {}, ...["action", "value", "bb", "verdict"].map((name) => element("th",
        { scope: "col" }, name)))),
    element("tbody", {}, ...valued.map((each) => element("tr", {}, element("th", { scope: "row" }, upper(each.name)),
        element("td", { class: "wide" }, bar(each, low, high)),
      element("td", {}, each.words), element("td", {}, [each.right ? "right" : "wrong",
          each.taken ? "yours" : ""].filter(Boolean).join(", ")))))));
}

// A table that is wider than the page is scrolled by itself, by keys too.
export const scroll = (label, table) => element("div", { class: "scroll", tabindex: 0, role: "region",
    "aria-label": label }, table);

// Where the decision is replayed and studied; where no server answers, the command.
export function ways({ links }) {
  return element("p", { class: "ways" }, links.hand, links.replay ? element("a", { href: links.replay },
      "Replay the hand") : null,
    links.study ? element("a", { href: links.study }, "Study the spot") : null, links.command ? element("code", {},
        links.command) : null);
}

export const heading = (spot) => `${upper(spot.street)}, ${spot.seat}: ${spot.taken} instead of ${spot.best}`;
