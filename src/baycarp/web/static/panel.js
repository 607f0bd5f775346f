// A decision: the reason, what it cost, values as bars, ranges, two hands like it; behind "details" its record.
import { card } from "./cards.js";
import { element, svg } from "./dom.js";
import { rangeOf } from "./ranges.js";
import { inWords, percent, values } from "./values.js";

function table(rows, head) {
  const [first, ...others] = head ? [head, ...rows] : rows;
  const heads = first.map((name) => name ? element("th", { scope: "col" }, name) : element("td"));
  const lines = others.map(([name, ...cells]) => element("tr", {}, element("th", { scope: "row" }, name),
    ...cells.map((cell) => element("td", {}, cell))));
  return element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "table" },
    element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...lines)));
}

function bars(policy) {
  return element("dl", { class: "bars" }, ...Object.entries(policy).flatMap(([name, chance]) => {
    const bar = svg("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { width: 100, height: 6, class: "track" }),
      svg("rect", { width: (100 * chance).toFixed(1), height: 6, class: "bar" }));
    return [element("dt", {}, inWords(name)), element("dd", {}, bar, element("span", {}, percent(chance)))];
  }));
}

const DONE = { fold: "folded", check: "checked", call: "called", bet: "bet", raise: "raised" };

function brought(outcome) {
  if (!outcome) return "neither won nor lost by it";
  const amount = Math.abs(outcome).toFixed(1).replace(/\.0$/, "");
  return `${outcome < 0 ? "lost" : "won"} ${amount} small bet${amount === "1" ? "" : "s"} by it`;
}

// A hand of which the agent knows: its cards and what was done; opened, how it was like this one.
function like({ hole, board, similarity, action, outcome, origin, features, line, game, act }) {
  const cards = (shown) => element("span", { class: "cards tiny" }, ...shown.map(card));
  const dealt = hole.length ? [cards(hole), board.length ? " on " : " before the flop ", cards(board)] : [];
  const done = ` ${DONE[action] ?? action}, ${brought(outcome)}; ${percent(similarity)} alike`;
  return element("details", { class: "like" }, element("summary", {}, ...dealt, done),
    table(features, ["", "then", "now"]), element("p", { class: "aside-note" }, origin),
    line ? element("a", { class: "press", href: `#hands//${act}?${new URLSearchParams({ line, game })}` }, "Open this hand") : null);
}

function section({ title, rows, table: cells, done }) {
  return element("details", {}, element("summary", {}, done ? title : `${title} (not done)`),
    rows.length ? element("dl", {}, ...rows.flatMap(([name, value]) =>
      [element("dt", {}, name), element("dd", {}, value)])) : null,
    cells.length ? table(cells) : null);
}

// What is advised, or was done, in large letters; and mine beside it, with what it cost.
function verdict({ advice, taken, action, close, verdict: words, situation }) {
  const name = situation.players[situation.seat].name, chose = name === "You" ? "you" : name;
  const own = element("b", {}, inWords(action));
  if (!advice || taken == null || taken === action)
    return element("p", { class: "verdict" }, own, close ? `: ${close}` : "");
  const kind = words.startsWith("costs") ? "costs" : "fine";
  const mine = ` — ${chose} chose ${inWords(taken)}${words ? `: ${words}` : ""}`;
  return element("p", { class: `verdict ${kind}` }, own, mine);
}

function chances({ values: worth, policy, advice, taken, action }) {
  if (!worth) return bars(policy);
  const mine = taken == null ? {} : { [taken]: "played" };
  const advised = advice ? { [action]: taken === action ? "advised, played" : "advised" } : {};
  return values(worth, policy, { ...mine, ...advised });
}

function title({ situation, agent, advice, taken }) {
  const actor = situation.players[situation.seat];
  const name = actor.name === actor.seat ? actor.name : `${actor.name} (${actor.seat})`;
  if (taken == null) return "Hint";
  if (advice) return `What ${agent} would have done${actor.name === "You" ? "" : ` for ${name}`}`;
  return actor.name === agent ? `Why ${name} did so` : `Why ${name}, ${agent}, did so`;
}

function head(message, { close, step }) {
  const button = (settings, text) => element("button", { type: "button", ...settings }, text);
  const steps = message.taken == null ? [] : [
    button({ onclick: () => step(-1), "aria-label": "earlier decision" }, "←"),
    button({ onclick: () => step(1), "aria-label": "later decision" }, "→")];
  return element("div", { class: "bar-top" }, element("h2", {}, title(message)), ...steps,
    button({ id: "close", onclick: close }, "Close"));
}

function ways(message, { again, study }) {
  const spot = study?.href ? element("a", { class: "spot", href: study.href }, "Study this spot")
    : study ? element("small", {}, study.reason) : null;
  const same = again ? element("button", { type: "button", id: "same-cards", onclick: () => again(message.act) },
    "The same cards again") : null;
  return spot || same ? element("p", { class: "ways" }, spot, same) : null;
}

// step: an earlier or a later decision; again: the same cards once more; study: the decision as a spot, or why it is
// none.
export function drawPanel(place, message, does) {
  const { situation, similar } = message, actor = situation.players[situation.seat];
  const flips = message.flips ? [element("p", {}, `The least change that would flip it: ${message.flips}.`)] : [];
  place.replaceChildren(head(message, does), element("p", { class: "reason" }, message.reason), verdict(message),
    element("div", { class: "situation" }, element("span", { class: "cards small" }, ...actor.cards.map(card)),
      element("span", { class: "cards small" }, ...situation.board.map(card)),
      element("span", {}, `${situation.street}, pot ${situation.pot}`)),
    chances(message), ...message.beliefs.map(rangeOf),
    ...(similar.length ? [element("h3", {}, "Hands like this one"), ...similar.map(like)] : []),
    element("details", { class: "details" }, element("summary", {}, "Details"), ...flips,
      ...message.details.map(section)),
    ...[ways(message, does)].filter(Boolean));
  place.hidden = false;
  place.scrollTop = 0;
}
