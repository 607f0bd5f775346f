// The values of the actions: a bar from zero, a line over the error, the numbers, how often each is chosen.
import { element, svg } from "./dom.js";

export const percent = (x) => `${(100 * x).toFixed(x > 0 && x < 0.1 ? 1 : 0)} %`;
export const inWords = (action) => action.replace(/^raise (?=\d)/, "raise to "); // as the table writes it

const unit = (stage) => stage.big_blind ? "big blinds" : "chips";
function number(stage, chips) {
  return chips ? (chips / (stage.big_blind || 1)).toFixed(stage.big_blind ? 2 : 1).replace("-", "−") : "0";
}
const amount = (stage, { chips, error }) => number(stage, chips) + (error ? ` ± ${number(stage, error)}` : "");

function bar({ chips, error }, low, high) {
  const at = (x) => 100 * (x - low) / (high - low || 1), end = at(chips), left = Math.min(end, at(0));
  const line = (d, name) => svg("path", { d, class: name, "vector-effect": "non-scaling-stroke" });
  const width = Math.abs(end - at(0)).toFixed(2);
  return svg("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { x: left.toFixed(2), y: 1, width, height: 10, class: chips > 0 ? "bar" : "loss" }),
    line(`M${at(0).toFixed(2)} 0V12`, "zero"),
    line(`M${at(chips - error).toFixed(2)} 6H${at(chips + error).toFixed(2)}`, "error"));
}

// marks: words beside some actions, as the one that was chosen.
export function values(stage, policy, marks) {
  const ends = stage.values.flatMap(({ chips, error }) => [chips - error, chips + error]);
  const low = Math.min(0, ...ends), high = Math.max(0, ...ends);
  const rows = [...stage.values].sort((a, b) => b.chips - a.chips).map((each) => element("tr", {},
    element("th", { scope: "row" }, inWords(each.action)), element("td", { class: "wide" }, bar(each, low, high)),
    element("td", {}, amount(stage, each)), element("td", {}, percent(policy[each.action] ?? 0)),
    element("td", {}, marks[each.action] ?? "")));
  const heads = ["action", "", unit(stage), "how often", ""].map((name) =>
    element(name ? "th" : "td", name ? { scope: "col" } : {}, name));
  const caption = `What each action wins, in ${unit(stage)} (a fold is 0); the line is the error`;
  const table = element("table", { class: "values" }, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "What each action wins" }, table);
}
