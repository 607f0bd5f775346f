// A decision: the reason, the values or the policy, ranges, two cases; behind "details" the rest of its record.
import { card, element, svg } from "./cards.js";
import { cost, inWords, percent, values } from "./values.js";

// A cell is shaded by the cube of its weight: a player of whom little is known has weights near each other.
const RANKS = "AKQJT98765432";
const SEATED = ["position", "seat"]; // entries that are numbers of players
const show = (value) => typeof value === "number" ? String(Number(value.toPrecision(3)))
  : Array.isArray(value) ? value.map(show).join(", ")
  : value && typeof value === "object" ? Object.entries(value).map(([key, inner]) => `${key} ${show(inner)}`).join(", ") : String(value);

// The record with the names of the seats in place of their numbers.
function named(value, players) {
  if (Array.isArray(value)) return value.map((each) => named(each, players));
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, SEATED.includes(key) && players[inner] ? players[inner].seat : named(inner, players)]));
}

function grid(belief) {
  const picture = svg("svg", { viewBox: "0 0 261 261", class: "grid", role: "img", "aria-label": `range of ${belief.player}: darker is likelier` });
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
  return table(head, rows);
}

function similar(cases) {
  const line = (each) => element("li", {}, `${percent(each.similarity)} alike: ${each.solution}, outcome ${each.outcome < 0 ? "−" : "+"}${Math.abs(each.outcome).toFixed(2)}`);
  return cases.length ? element("section", {}, element("h3", {}, "The most similar cases"), element("ul", {}, ...cases.slice(0, 2).map(line))) : null;
}

function stage(record) {
  const fields = Object.entries(record).filter(([key, value]) => !["stage", "seconds", "done", "nearest"].includes(key) && value != null && value !== "" && show(value) !== "");
  return element("details", {}, element("summary", {}, record.stage), table(["quantity", "value"], fields.map(([key, value]) => [key.replaceAll("_", " "), value])),
    record.nearest?.length ? nearest(record.nearest) : null);
}

function about({ player, evidence, types }) {
  const reads = Object.entries(evidence).map(([node, state]) => `${node.replaceAll("_", " ")}: ${state}`).join("; ");
  const likely = types.map(([name, p]) => `${name.replaceAll("_", " ")} ${percent(p)}`).join(", ");
  return reads || likely ? element("p", {}, `${player}: ${[reads, likely].filter(Boolean).join("; likeliest ")}`) : null;
}

function verdict({ advice, taken, situation, decision }, worth) {
  const text = decision.amount ? `${decision.action} ${decision.amount}` : decision.action;
  const player = situation.players[situation.seat].name, chose = player === "You" ? "you" : player;
  const price = advice && worth ? cost(worth, text, taken) : "";
  return element("p", { class: "verdict" }, element("b", {}, inWords(text)), advice && taken !== text ? ` — ${chose} chose ${inWords(taken)}${price}` : "");
}

function chances(message, worth) {
  const { decision, advice, taken } = message, text = decision.amount ? `${decision.action} ${decision.amount}` : decision.action;
  return worth ? values(worth, decision.policy, { [taken]: "played", ...(advice ? { [text]: taken === text ? "advised, played" : "advised" } : {}) }) : bars(decision.policy);
}

export function drawPanel(place, message, { close, step, again }) {
  const { situation, decision } = message, actor = situation.players[situation.seat];
  const name = actor.name === actor.seat || actor.name === "You" ? actor.name : `${actor.name} (${actor.seat})`;
  const title = message.advice ? `What ${message.agent} would have done for ${name}` : actor.name === message.agent ? `Why ${name} did so` : `Why ${name}, ${message.agent}, did so`;
  const trace = named(decision.trace, situation.players), found = (kind) => trace.find((each) => each.stage === kind && each.done);
  const worth = found("value")?.values?.length ? found("value") : null;
  place.replaceChildren(
    element("div", { class: "bar-top" }, element("h2", {}, title),
      element("button", { type: "button", onclick: () => step(-1), "aria-label": "earlier decision" }, "←"),
      element("button", { type: "button", onclick: () => step(1), "aria-label": "later decision" }, "→"),
      again ? element("button", { type: "button", id: "same-cards", onclick: () => again(message.act) }, "The same cards again") : "",
      element("button", { type: "button", id: "close", onclick: close }, "Close")),
    decision.reason ? element("p", { class: "reason" }, decision.reason) : "",
    element("div", { class: "situation" }, element("span", { class: "cards" }, ...actor.cards.map(card)),
      element("span", { class: "cards small" }, ...situation.board.map(card)), element("span", {}, `${situation.street}, pot ${situation.pot}`)),
    verdict(message, worth),
    chances(message, worth),
    similar(found("retrieval")?.nearest ?? []) ?? "",
    element("div", { class: "beliefs" }, ...message.beliefs.map((belief) => element("figure", {}, element("figcaption", {}, `What ${belief.player} may hold: darker is likelier`), grid(belief)))),
    element("details", { class: "details" }, element("summary", {}, "Details"),
      message.flips ? element("p", {}, `The least change that flips it: ${message.flips}.`) : null,
      ...message.beliefs.map(about), ...trace.filter((record) => record.stage !== "beliefs").map(stage)));
  place.hidden = false;
}
