// Locks: shares of a node for a holding, a class or all; a frequency over the range; a player that follows another.
import { element } from "./dom.js";
import { CLASSES, label } from "./grid.js";

const PLAYERS = ["oop", "ip"], NAMES = { oop: "First to act", ip: "Second to act" };
const CARD = /^[2-9TJQKA][shdc]$/i;
const withoutCards = (line) => line.split(",").map((each) => each.trim()).filter((each) => each && !CARD.test(each)).join(", ");

export function makeLocks({ place, changed, solveAgain }) {
  let list = [], shown = "";

  const inWords = (lock) => {
    if (lock.kind === "player") return `${NAMES[lock.player]} plays like ${lock.name}${lock.street ? " on the first street" : ""}`;
    const where = lock.line || "at the start";
    if (lock.kind === "frequency") return `${where}: ${lock.action} ${Math.round(1000 * lock.share) / 10} % of the whole range`;
    return `${where}: ${lock.holdings || "every holding"} ${Object.entries(lock.shares).map(([name, share]) => `${name} ${Math.round(1000 * share) / 10} %`).join(", ")}`;
  };

  function add(lock) { list.push(lock); shown = ""; changed(); }

  function nodeForm(view, chosen) {
    const inputs = view.actions.map((action) => element("input", { inputmode: "decimal", size: 4, "aria-label": `${action.name}, per cent; empty = free` }));
    const holdings = element("input", { size: 14, value: chosen && chosen.player === view.toAct ? CLASSES[chosen.at] : "", "aria-label": "holdings that are locked; empty = every holding" });
    const dealt = view.line !== withoutCards(view.line), every = element("input", { type: "checkbox", checked: true });
    const mean = element("input", { type: "checkbox" }), wrong = element("p", { class: "wrong", role: "status" });
    const lock = () => {
      const shares = {};
      for (const [at, input] of inputs.entries()) {
        if (!input.value.trim()) continue;
        const share = Number(input.value.replace(",", ".").replace("%", "")) / 100;
        if (!(share >= 0 && share <= 1)) { wrong.textContent = `${input.value}: expected 0 to 100`; return input.focus(); }
        shares[view.actions[at].name] = share;
      }
      const sum = Object.values(shares).reduce((a, b) => a + b, 0), count = Object.keys(shares).length;
      const line = dealt && every.checked ? withoutCards(view.line) : view.line;
      if (!count) wrong.textContent = "Name at least one action's per cent.";
      else if (mean.checked && count > 1) wrong.textContent = "Of the whole range name one action: the solver finds the holdings.";
      else if (mean.checked) add({ kind: "frequency", line, action: Object.keys(shares)[0], share: sum });
      else if (sum > 1.000001) wrong.textContent = `The shares sum to ${Math.round(100 * sum)} %: expected at most 100.`;
      else if (count === inputs.length && sum < 0.999999) wrong.textContent = `The shares sum to ${Math.round(100 * sum)} %: expected 100, or leave an action free.`;
      else add({ kind: "shares", line, holdings: holdings.value.trim(), shares });
    };
    return element("fieldset", { class: "lock" }, element("legend", {}, `This decision of ${NAMES[PLAYERS[view.toAct]].toLowerCase()}`),
      element("p", { class: "row" }, ...view.actions.map((action, at) => element("label", {}, `${label(action)} % `, inputs[at]))),
      element("p", { class: "row" }, element("label", {}, "Holdings ", holdings), element("small", {}, "a class, a holding or a range; empty: all")),
      element("p", { class: "row" }, element("label", {}, mean, " as a mean of the whole range"), dealt ? element("label", {}, every, " on every card") : null,
        element("button", { type: "button", id: "lock", onclick: lock }, "Lock")), wrong);
  }

  function playerForm(study, view) {
    const isLimit = study.solvedFields.betting?.startsWith("holdem.limit") ?? false;
    const names = isLimit ? study.agents.limit : study.agents.other;
    const who = element("select", { id: "lock-player", "aria-label": "which player" }, ...PLAYERS.map((name) => element("option", { value: name }, NAMES[name])));
    if (study.opened) who.value = PLAYERS[1 - study.opened.toAct];
    const like = element("select", { id: "lock-like", "aria-label": "plays like" }, ...names.map((name) => element("option", { value: name }, name)));
    const street = element("input", { type: "checkbox", id: "lock-street", checked: view.board.length - view.way.filter((step) => step.street).length === 3 });
    const other = study.opened && names.find((name) => name.startsWith(`${study.opened.players[1 - study.opened.toAct]}, as in`));
    if (other) like.value = other;
    return element("fieldset", { class: "lock" }, element("legend", {}, "A whole player"), element("p", { class: "row" }, element("label", {}, who, " plays like ", like), element("label", {}, street, " on the first street alone"),
      element("button", { type: "button", id: "follow", onclick: () => { list = list.filter((each) => each.kind !== "player" || each.player !== who.value); add({ kind: "player", player: who.value, name: like.value, street: street.checked ? 1 : 0 }); } }, "Lock")));
  }

  return {
    list: () => list,
    take(given) { list = [...given]; shown = ""; },
    draw(study, view, chosen) {
      if (!study || !view) return;
      const key = JSON.stringify([list, view.line, view.kind, chosen, study.agents, study.opened, study.solving, JSON.stringify(study.locks)]);
      if (key === shown) return; // what is typed stays
      shown = key;
      const open = place.querySelector("details")?.open ?? list.length > 0;
      const pending = JSON.stringify(list) !== JSON.stringify(study.locks);
      const rows = list.map((lock, at) => element("li", {}, inWords(lock), " ", element("button", { type: "button", class: "small", "aria-label": `remove: ${inWords(lock)}`, onclick: () => { list.splice(at, 1); shown = ""; changed(); } }, "Remove")));
      place.replaceChildren(element("details", { open }, element("summary", {}, `Locks${list.length ? ` (${list.length})` : ""}`),
        view.kind === "decision" ? nodeForm(view, chosen) : null, playerForm(study, view), element("ul", { id: "locks" }, ...rows)),
        pending ? element("p", {}, "The locks are not solved yet. ", element("button", { type: "button", id: "solve-locked", disabled: study.solving, onclick: solveAgain }, "Solve again")) : "");
    },
  };
}
