// A decision: the policy, beliefs as 13 x 13 grids, nearest cases, and every other stage of its record.
import { card, element, svg } from "./cards.js";

// A cell is shaded by the cube of its weight: a player of whom little is known has weights near each other.
const RANKS = "AKQJT98765432";
const percent = (x) => `${(100 * x).toFixed(x < 0.1 ? 1 : 0)} %`;
const inWords = (action) => action.replace(/^raise (?=\d)/, "raise to "); // as the table writes it
const show = (value) => typeof value === "number" ? String(Number(value.toPrecision(3)))
  : Array.isArray(value) ? value.map(show).join(", ")
  : value && typeof value === "object" ? Object.entries(value).map(([key, inner]) => `${key} ${show(inner)}`).join(", ") : String(value);

function grid(belief) {
  const picture = svg("svg", { viewBox: "0 0 261 261", class: "grid", role: "img", "aria-label": `range of ${belief.player}, ${belief.holdings ?? ""} darker is likelier` });
  belief.grid.forEach((row, i) => row.forEach((weight, j) => {
    const name = i === j ? RANKS[i] + RANKS[i] : i < j ? `${RANKS[i]}${RANKS[j]}s` : `${RANKS[j]}${RANKS[i]}o`;
    picture.append(svg("g", {}, svg("title", {}, `${name}: ${percent(weight)} of the likeliest`),
      svg("rect", { x: 20 * j + 1, y: 20 * i + 1, width: 19, height: 19, class: "cell", "fill-opacity": (0.06 + 0.94 * weight ** 3).toFixed(3) }),
      svg("text", { x: 20 * j + 10.5, y: 20 * i + 13 }, name)));
  }));
  return picture;
}

function table(head, rows) {
  return element("div", { class: "scroll", tabindex: 0 }, element("table", {},
    element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell, i) => element(i ? "td" : "th", i ? {} : { scope: "row" }, show(cell ?? ""))))))));
}

function bars(policy) {
  return element("dl", { class: "bars" }, ...Object.entries(policy).flatMap(([name, chance]) => {
    const bar = svg("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" });
    bar.append(svg("rect", { width: 100, height: 6, class: "track" }), svg("rect", { width: (100 * chance).toFixed(1), height: 6, class: "bar" }));
    return [element("dt", {}, inWords(name)), element("dd", {}, bar, element("span", {}, percent(chance)))];
  }));
}

function nearest(cases) {
  const columns = [...new Set(cases.flatMap((each) => Object.keys(each.columns)))];
  const head = ["feature", ...cases.map((each) => `case ${each.case}`)];
  const rows = [["similarity", ...cases.map((each) => each.similarity)], ["solution", ...cases.map((each) => each.solution)],
    ["outcome", ...cases.map((each) => each.outcome)], ...columns.map((name) => [name.replaceAll("_", " "), ...cases.map((each) => each.columns[name])])];
  return element("section", {}, element("h3", {}, "Nearest cases, feature by feature"), table(head, rows));
}

function stage(record) {
  const fields = Object.entries(record).filter(([key, value]) => !["stage", "seconds", "done"].includes(key) && value != null && value !== "" && show(value) !== "");
  if (record.stage === "retrieval" && record.nearest?.length) {
    return element("div", {}, element("p", {}, `${record.cases} cases retrieved of ${record.stored} stored.`), nearest(record.nearest));
  }
  return element("details", { open: ["strength", "potential", "rules", "simulation", "response", "static rules", "sizing"].includes(record.stage) },
    element("summary", {}, record.stage), table(["quantity", "value"], fields.map(([key, value]) => [key.replaceAll("_", " "), value])));
}

export function drawPanel(place, message, { close, step, again }) {
  const { situation, decision } = message;
  const actor = situation.players[situation.seat];
  const title = message.advice ? `What ${message.agent} would have done for ${actor.name}` : actor.name === message.agent ? `Why ${actor.name} did so` : `Why ${actor.name} (${message.agent}) did so`;
  const action = inWords(decision.amount ? `${decision.action} ${decision.amount}` : decision.action);
  place.replaceChildren(
    element("div", { class: "bar-top" }, element("h2", {}, title),
      element("button", { type: "button", onclick: () => step(-1), "aria-label": "earlier decision" }, "←"),
      element("button", { type: "button", onclick: () => step(1), "aria-label": "later decision" }, "→"),
      again ? element("button", { type: "button", id: "same-cards", onclick: () => again(message.act) }, "The same cards again") : "",
      element("button", { type: "button", id: "close", onclick: close }, "Close")),
    element("div", { class: "situation" }, element("span", { class: "cards" }, ...actor.cards.map(card)),
      element("span", { class: "cards small" }, ...situation.board.map(card)), element("span", {}, `${situation.street}, pot ${situation.pot}`)),
    element("p", { class: "verdict" }, element("b", {}, action), message.advice ? ` — the player chose ${inWords(message.taken)}` : "", decision.reason ? `. ${decision.reason}` : ""),
    bars(decision.policy),
    message.flips ? element("p", {}, `The least change that flips it: ${message.flips}.`) : "",
    element("div", { class: "beliefs" }, ...message.beliefs.map((belief) => element("figure", {}, element("figcaption", {}, `The belief about ${belief.player}`), grid(belief),
      element("p", {}, Object.entries(belief.evidence).map(([node, state]) => `${node.replaceAll("_", " ")}: ${state}`).join("; ")),
      belief.types.length ? element("p", {}, "Likeliest: ", belief.types.map(([name, p]) => `${name.replaceAll("_", " ")} ${percent(p)}`).join(", ")) : ""))),
    ...decision.trace.filter((record) => record.stage !== "beliefs").map(stage));
  place.hidden = false;
}
