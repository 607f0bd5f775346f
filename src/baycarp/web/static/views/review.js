// The review: themes with their counts and costs, and a few remarks, costliest first.
import { heading, scroll, situation, ways, worth } from "../decision.js";
import { $, announce, element } from "../dom.js";

let line, state, shown;

const button = (id, label, onclick, settings = {}) => element("button", { type: "button", id, onclick, ...settings },
    label);

function draw(root) {
  root.append(
    element("section", { "aria-label": "Review", class: "coach-tools" },
      element("p", { id: "coach-state", role: "status" }),
      element("p", { id: "coach-buttons" },
        button("review-session", "Review this session", () => line.send({ type: "review", scope: "session" })),
        button("review-all", "Review all my sessions", () => line.send({ type: "review", scope: "all" })),
        button("stop-review", "Stop", () => line.send({ type: "stop" })),
        element("a", { href: "#drill", id: "to-drill", hidden: true }, "To the drill"))),
    element("div", { id: "coach-review" }),
    element("details", { id: "own" }, element("summary", {}, "My sessions"),
      element("p", { id: "own-state" }),
      element("p", {}, button("export", "Export my sessions", () => line.send({ type: "export" })),
        element("a", { id: "exported", hidden: true }, "Save the file")),
      element("form", { onsubmit: remove }, element("label", {}, "To delete them, write ", element("b", {},
          "delete my sessions"), " ",
        element("input", { id: "confirm", autocomplete: "off", size: 20 })), element("button", { id: "delete" },
            "Delete my sessions"))));
}

function remove(event) {
  event.preventDefault();
  line.send({ type: "delete", confirm: $("confirm").value });
  $("confirm").value = "";
}

function progress() {
  const hands = (count) => `${count} ${count === 1 ? "hand" : "hands"}`;
  const idle = state.ready ? "" : `${hands(state.hands)} can be reviewed; the table goes on meanwhile.`;
  const text = state.working ? `Reviewing: ${state.done} of ${hands(state.of)}` : state.note || idle;
  if ($("coach-state").textContent !== text) $("coach-state").textContent = text;
  $("review-session").disabled = state.working || !state.hands;
  $("review-all").disabled = state.working;
  $("review-all").hidden = !state.kept;
  $("stop-review").hidden = !state.working;
  $("own").hidden = !state.kept;
  $("own-state").textContent = `${hands(state.kept)} of ${state.sessions} sessions are in a file of your own, `
    + "with their values and your answers.";
}

function theme({ name, advice, named, judged, words, cost, margin }) {
  const figure = judged && margin != null ? `${cost.toFixed(1)} ± ${margin.toFixed(1)}` : "–";
  return element("tr", named ? { class: "named" } : {}, element("th", { scope: "row" }, `You ${plural(name)}`,
      named ? element("p", {}, advice) : null),
    element("td", {}, named ? "yes" : judged ? "not certain" : "too few"), element("td", {},
        judged ? words.split(",")[0] : words), element("td", {}, figure));
}

// "folds too much" after "You".
const VERBS = { "does not": "do not", misses: "miss" };
const plural = (name) => name.replace(/^(does not|[a-z-]+s)\b/, (verb) => VERBS[verb] ?? verb.slice(0, -1))
  .replace(/\band raises\b/, "and raise");

function themes({ themes: all }) {
  const table = (rows, label) => scroll(label, element("table", { class: "themes" },
    element("thead", {}, element("tr", {}, ...["Theme", "Certain", "How often", "bb/100"].map((name) => element("th",
        { scope: "col" }, name)))),
    element("tbody", {}, ...rows.map(theme))));
  const named = all.filter((each) => each.named), others = all.filter((each) => !each.named);
  return element("section", { "aria-labelledby": "h-themes" }, element("h2", { id: "h-themes" }, "Themes"),
    named.length ? table(named, "Your themes") : element("p", { class: "none" }, "No theme is certain in these hands."),
    element("details", {}, element("summary", {}, `The other ${others.length} themes`), table(others, "Other themes")));
}

function remark(spot, number) {
  return element("article", { class: "remark", id: `remark-${number}` }, element("h3", {}, heading(spot)),
    element("p", { class: "cost" }, element("b", {}, `cost ${spot.costWords} bb`),
        spot.theme ? ` · you ${plural(spot.theme)}` : ""),
    element("p", { class: "reason" }, spot.sentence), situation(spot), worth(spot), ways(spot));
}

function review(found) {
  const { hands, decisions, remarks } = found;
  $("coach-review").replaceChildren(
    element("p", { id: "counts" }, `${hands} hands, ${decisions} decisions of ${found.player}.`),
    themes(found),
    element("section", { "aria-labelledby": "h-remarks" }, element("h2", { id: "h-remarks" },
        `Remarks: ${remarks.length}`),
      element("p", {}, remarks.length ? "The costliest decisions, at most one in five hands." : "No decision costs much for certain."),
      ...remarks.map(remark)),
    element("details", {}, element("summary", {}, "How this is found"), element("p", {},
      "The default agent observes the hands in your place, in their order, and values each of your decisions before it "
      + "sees how the hand went on. An action is right if it is worth as much as the best one within the error, or if the "
      + "agent mixes it. A theme is certain if it costs more than chance explains, after a correction for all themes "
      + "(Holm), from 30 occasions on. ± is a 95 % interval.")));
  $("to-drill").hidden = false;
}

export const view = {
  page: "coach", title: "review", label: "Review", keys: {},

  open(root, given) {
    line = given; state = null; shown = false;
    draw(root);
  },

  receive(message) {
    if (message.type === "coach") {
      const was = state?.working;
      state = message;
      progress();
      if (!state.ready) { $("coach-review").replaceChildren(); $("to-drill").hidden = true; shown = false; }
      if (state.ready && !state.working && (was || !shown)) { shown = true; line.send({ type: "reviewed" }); }
    } else if (message.type === "reviewed") {
      review(message);
      const named = message.themes.filter((each) => each.named).length;
      announce(`The review is done: ${named} themes, ${message.remarks.length} remarks`);
    } else if (message.type === "export") {
      const link = $("exported");
      link.href = `data:application/jsonl,${encodeURIComponent(message.text)}`;
      link.download = message.name;
      link.hidden = false;
      link.focus();
    }
  },

  close() { state = null; },
};
