// A walk through a solution: the line with its frequencies, the strategy of a node, cards to come, two solutions.
import { card, words } from "./cards.js";
import { $, element } from "./dom.js";
import { CLASSES, chips, fill, label, makeGrid, percent } from "./grid.js";
import { makeLocks } from "./lockform.js";

const PLAYERS = ["oop", "ip"], NAMES = ["First to act", "Second to act"];
const MODES = { strategy: "Strategy", range: "Ranges", ev: "EV", equity: "Equity" };
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };

// The colour of an action: folds, checks and calls have one each, bets one by their order.
export function colours(actions) {
  let bets = 0;
  return actions.map(({ kind }) => kind === "fold" ? "fold" : kind === "check" || kind === "call" ? "stay" : `bet${Math.min(6, ++bets)}`);
}
const head = (name) => name ? element("th", { scope: "col" }, name) : element("td");
const join = (line, word) => line ? `${line}, ${word}` : word;

export function makeWalk(send, solveAgain) {
  let study, line = "", view, kept, equity = {}, mode = "strategy", chosen = null, dealt, number = -1, heat = "equity", solving = false, asked = 0, awaited = 0;
  const grids = [0, 1].map(() => null), places = [0, 1].map(() => element("figure", {}));
  $("grids").append(...places);
  const locks = makeLocks({ place: $("locking"), changed: () => locks.draw(study, view, chosen), solveAgain });

  $("modes").append(...Object.entries(MODES).map(([name, shown]) => element("button", { type: "button", "data-mode": name, "aria-pressed": name === mode,
    onclick: () => { mode = name; if (name === "equity") askEquity(); draw(); } }, shown)));

  function go(to) { line = to; chosen = null; ask(); }
  // Questions have the number of the last look at a node: answers to earlier ones are not drawn.
  const question = (type, more = {}) => send({ type, line, id: asked, ...more });
  function ask() {
    asked += 1; awaits(study.kept ? 2 : 1);
    question("view");
    if (study.kept) question("view", { which: "kept" });
  }
  // The node is busy until it shows what was asked for last.
  function awaits(count) { awaited = Math.max(0, count); $("node").setAttribute("aria-busy", awaited > 0); }
  function askEquity() { if (!equity[line]) question("equity"); }
  function askCards() { question("cards"); $("dealt").querySelector(".ask")?.replaceWith(element("p", {}, "All cards are looked at …")); }
  function choose(player, at) { chosen = { player, at }; question("holdings", { player: PLAYERS[player], class: CLASSES[at] }); locks.draw(study, view, chosen); }
  function back() { if (view?.way.length) go(view.way.at(-1).line); }

  function drawWay() {
    const columns = view.way.map((step) => {
      if (step.street) return element("li", {}, element("b", {}, step.street), element("button", { type: "button", class: "step taken", onclick: () => go(step.line), "aria-label": `${step.street} ${words(step.card)}: choose another` }, card(step.card)));
      const tints = colours(step.actions);
      return element("li", {}, element("b", {}, PLAYERS[step.toAct].toUpperCase()), ...step.actions.map((action, at) => element("button", { type: "button",
        class: `step ${tints[at]} ${at === step.chosen ? "taken" : ""}`, "aria-current": at === step.chosen ? "step" : null, onclick: () => go(join(step.line, action.name)) }, label(action), element("small", {}, percent(step.frequencies[at])))));
    });
    const end = view.kind === "decision" ? element("li", { class: "here" }, element("b", {}, PLAYERS[view.toAct].toUpperCase()), ...view.actions.map((action, at) => element("button", { type: "button",
        class: `step ${colours(view.actions)[at]}`, "data-key": at + 1, onclick: () => go(join(line, action.name)) }, label(action), element("small", {}, percent(view.frequencies[at])), element("kbd", { "aria-hidden": "true" }, String(at + 1)))))
      : element("li", { class: "here" }, element("b", {}, view.kind === "deal" ? `the ${view.dealt}` : view.kind === "fold" ? "a fold ends it" : "showdown"));
    $("way").replaceChildren(element("button", { type: "button", id: "root", onclick: () => go(""), disabled: !line }, "Start"), element("ol", {}, ...columns, end));
    $("way").scrollLeft = $("way").scrollWidth;
  }

  function drawSituation() {
    const share = equity[line];
    const rows = view.players.map((player, at) => element("tr", {}, element("th", { scope: "row" }, `${NAMES[at]}${view.toAct === at ? ", to act" : ""}`),
      element("td", {}, chips(player.ev)), element("td", {}, share ? percent(share[at].equity) : "…"), element("td", {}, player.holdings.toFixed(1))));
    $("situation").replaceChildren(element("p", {}, element("span", { class: "cards small" }, ...view.board.map(card)), ` pot ${chips(view.pot)}; ${view.chance > 0 ? `the line is played in ${percent(view.chance)} of the hands` : "the line is never played"}`),
      element("table", {}, element("thead", {}, element("tr", {}, ...["", "EV, chips", "equity", "holdings"].map((name) => head(name)))), element("tbody", {}, ...rows)));
  }

  function grid(slot, title, player) {
    if (grids[slot]?.title !== title) {
      grids[slot] = { title, player, ...makeGrid(title, { press: (at) => choose(grids[slot].player, at) }) };
      places[slot].replaceChildren(element("figcaption", {}, title), grids[slot].place);
    }
    grids[slot].player = player;
    return grids[slot].cells;
  }

  // A grid of one player: its strategy where it acts, else its range; or EV or equity by class.
  function drawGrid(slot, from, player, title) {
    const { weights, evs } = from.players[player], most = Math.max(...weights, 1e-9), acts = from.kind === "decision" && from.toAct === player;
    const cells = grid(slot, title, player), tints = acts ? colours(from.actions) : [], shares = equity[line]?.[player].equities;
    const known = evs.filter((each) => each != null), low = Math.min(...known), high = Math.max(...known);
    cells.forEach((cell, at) => {
      const tall = weights[at] / most, present = weights[at] > 0.0005;
      let parts = [["cell", 1]], text = "", spoken = `weight ${percent(weights[at])}`;
      if (mode === "strategy" && acts) {
        parts = from.actions.map((action, act) => [tints[act], from.shares[act][at] ?? 0]);
        spoken = from.actions.map((action, act) => `${label(action)} ${percent(from.shares[act][at])}`).join(", ") + `; ${spoken}`;
      } else if (mode === "ev" && evs[at] != null) {
        parts = [["heat", (evs[at] - low) / (high - low || 1)]]; text = chips(evs[at]).replace(/\.\d+$/, ""); spoken = `EV ${chips(evs[at])}; ${spoken}`;
      } else if (mode === "equity" && shares?.[at] != null) { parts = [["heat", shares[at]]]; text = String(Math.round(100 * shares[at])); spoken = `equity ${percent(shares[at])}; ${spoken}`; }
      fill(cell, parts, present ? (mode === "ev" || mode === "equity" ? 1 : tall) : 0, present ? text : "", present ? spoken : "not held here");
      cell.setAttribute("aria-selected", chosen?.player === player && chosen.at === at);
    });
  }

  function draw() {
    if (!view) return;
    $("empty").hidden = true; $("node").hidden = false;
    [...$("modes").children].forEach((each) => each.setAttribute("aria-pressed", each.dataset.mode === mode));
    drawWay(); drawSituation();
    const first = view.kind === "decision" ? view.toAct : 0, compares = kept?.line === line && study.kept;
    const what = (player) => mode === "strategy" && view.kind === "decision" && view.toAct === player ? "strategy" : mode === "ev" ? "EV in chips" : mode === "equity" ? "equity in %" : "range";
    drawGrid(0, view, first, `${NAMES[first]}: ${what(first)}${compares ? `, ${view.label}` : ""}`);
    if (compares) drawGrid(1, kept, first, `${NAMES[first]}: ${what(first)}, ${kept.label}`);
    else drawGrid(1, view, 1 - first, `${NAMES[1 - first]}: ${what(1 - first)}`);
    $("legend").replaceChildren(...(view.kind === "decision" ? view.actions.map((action, at) => element("span", {}, element("i", { class: `mark ${colours(view.actions)[at]}` }), `${label(action)} ${percent(view.frequencies[at])}, EV ${chips(view.evs[at])}`)) : []),
      ...(view.leftOut?.length ? [element("small", {}, `left out: ${view.leftOut.join("; ")}`)] : []));
    if (!chosen) $("holdings").hidden = true;
    drawDeal(); drawCompared(compares);
    locks.draw(study, view, chosen);
  }

  function drawHoldings(message) {
    if (message.line !== line || !chosen || message.class !== CLASSES[chosen.at]) return;
    const acts = PLAYERS[view.toAct] === message.player && message.rows.some((row) => row.shares.length), actions = acts ? view.actions : [], tints = colours(actions);
    const titles = ["holding", "weight", "EV", "equity", ...actions.flatMap((action) => [label(action), "its EV"])];
    const rows = message.rows.map((row) => element("tr", {}, element("th", { scope: "row" }, element("span", { class: "cards tiny" }, card(row.holding.slice(0, 2)), card(row.holding.slice(2)))),
      element("td", {}, percent(row.weight)), element("td", {}, chips(row.ev)), element("td", {}, percent(row.equity)),
      ...actions.flatMap((_, at) => [element("td", {}, element("i", { class: `mark ${tints[at]}` }), percent(row.shares[at])), element("td", {}, chips(row.actionEvs[at]))])));
    $("holdings").replaceChildren(element("h2", {}, `${message.class}, ${NAMES[PLAYERS.indexOf(message.player)].toLowerCase()}`),
      rows.length ? element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "holdings" }, element("table", {}, element("thead", {}, element("tr", {}, ...titles.map(head))), element("tbody", {}, ...rows))) : element("p", {}, "Not in this range."));
    $("holdings").hidden = false;
    draw();
  }

  const HEATS = { equity: ["equity of the first", (row) => row.equity[0], percent], ev: ["EV of the first", (row) => row.ev[0], chips], ev2: ["EV of the second", (row) => row.ev[1], chips], act: ["first bets", (row) => 1 - (row.frequencies.check ?? 1), percent] };
  function drawDeal() {
    $("dealt").hidden = view.kind !== "deal";
    if (view.kind !== "deal") return;
    const rows = dealt?.line === line ? dealt.rows : null, by = Object.fromEntries((rows ?? []).map((row) => [row.card, row]));
    const [, value, shown] = HEATS[heat], known = (rows ?? []).map(value).filter((each) => each != null), low = Math.min(...known), high = Math.max(...known);
    const keys = [..."shdc"].flatMap((suit) => [..."AKQJT98765432"].map((rank) => {
      const name = rank + suit, row = by[name], at = row ? value(row) : null;
      const key = element("button", { type: "button", class: `key ${suit}`, disabled: view.board.includes(name) || (rows && !row), onclick: () => go(join(line, name)),
        "aria-label": `${words(name)}${row ? `: ${HEATS[heat][0]} ${shown(at)}` : ""}` }, `${rank}${SUITS[suit]}`, rows ? element("small", {}, row ? shown(at).replace(" %", "").replace(/\.\d+$/, "") : "") : null);
      if (at != null) key.style.setProperty("--share", `${Math.round(100 * (at - low) / (high - low || 1))}%`);
      return key;
    }));
    const parts = [element("h2", {}, `The ${view.dealt}: choose a card`), element("div", { class: "deck", role: "group", "aria-label": `cards of the ${view.dealt}` }, ...keys)];
    if (!rows) parts.push(solving ? element("p", {}, "What each card changes is shown once the solve rests.") : element("button", { type: "button", class: "ask", onclick: askCards }, "Compare all cards"));
    else {
      const names = [...new Set(rows.flatMap((row) => Object.keys(row.frequencies)))];
      parts.push(element("p", {}, element("label", {}, "Shade by ", element("select", { id: "heat", onchange: (event) => { heat = event.target.value; drawDeal(); $("heat").focus(); } },
        ...Object.entries(HEATS).map(([name, [shown]]) => element("option", { value: name, selected: name === heat }, shown))))),
        element("details", {}, element("summary", {}, "As a table"), element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "table of the cards" }, element("table", {}, element("thead", {}, element("tr", {}, ...["card", "chance", "EV first", "EV second", "equity first", ...names].map((name) => element("th", { scope: "col" }, name)))),
          element("tbody", {}, ...rows.map((row) => element("tr", {}, element("th", { scope: "row" }, `${row.card[0]}${SUITS[row.card[1]]}`), element("td", {}, percent(row.chance)), element("td", {}, chips(row.ev[0])), element("td", {}, chips(row.ev[1])), element("td", {}, percent(row.equity[0])),
            ...names.map((name) => element("td", {}, percent(row.frequencies[name]))))))))));
    }
    $("dealt").replaceChildren(...parts);
  }

  function drawCompared(compares) {
    $("compared").hidden = !study.kept;
    if (!study.kept) return;
    const parts = [element("h2", {}, `${view.label} beside ${study.kept}`)];
    if (compares) {
      const signed = (x, of) => x == null ? "–" : `${x > 0 ? "+" : x < 0 ? "−" : ""}${of(Math.abs(x))}`;
      const rows = [0, 1].map((player) => [`EV, ${NAMES[player].toLowerCase()}`, view.players[player].ev, kept.players[player].ev, chips]);
      if (view.kind === "decision") view.actions.forEach((action, at) => {
        const other = kept.actions.findIndex((each) => each.name === action.name);
        rows.push([label(action), view.frequencies[at], other < 0 ? null : kept.frequencies[other], percent]);
      });
      parts.push(element("table", {}, element("thead", {}, element("tr", {}, ...["", view.label, kept.label, "difference"].map((name) => head(name)))),
        element("tbody", {}, ...rows.map(([name, now, then, of]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, of(now)), element("td", {}, of(then)), element("td", {}, now == null || then == null ? "–" : signed(now - then, of)))))));
      if (view.kind === "decision") parts.push(mostChanged());
    } else if (!awaited) parts.push(element("p", {}, `${study.kept} has no such line.`));
    parts.push(element("button", { type: "button", onclick: () => send({ type: "keep", on: 0 }) }, `Give up ${study.kept}`));
    $("compared").replaceChildren(...parts);
  }

  // The classes whose strategy differs most, by the mass that is moved.
  function mostChanged() {
    const moved = CLASSES.map((name, at) => [name, at, view.actions.reduce((sum, action, act) => {
      const other = kept.actions.findIndex((each) => each.name === action.name);
      return sum + Math.max(0, (view.shares[act][at] ?? 0) - (other < 0 ? 0 : kept.shares[other][at] ?? 0));
    }, 0)]).filter(([, at, mass]) => view.players[view.toAct].weights[at] > 0.01 && mass > 0.01).sort((a, b) => b[2] - a[2]).slice(0, 10);
    return element("p", {}, moved.length ? "Most changed: " : "No class changes by more than 1 %.", ...moved.flatMap(([name, at, mass]) => [element("button", { type: "button", class: "small", onclick: () => choose(view.toAct, at) }, `${name} ${percent(mass)}`), " "]));
  }

  return {
    keys: {
      arrowleft: back, backspace: back, home: () => go(""),
      ...Object.fromEntries(Array.from("123456789", (key) => [key, () => $("way").querySelector(`[data-key="${key}"]`)?.click()])),
    },
    locks: () => locks.list(),
    suggest(lock) { locks.take([lock]); locks.draw(study, view, chosen); },
    state(now) {
      const first = !study, gone = study?.kept && !now.kept;
      const comes = now.kept && study?.kept !== now.kept, rests = study?.solving && !now.solving;
      study = now; solving = now.solving;
      if (first) locks.take(now.locks);
      if (gone) { kept = null; draw(); }
      if (!now.solved) { view = null; $("node").hidden = true; $("empty").hidden = false; return; }
      if (number !== now.number) { number = now.number; equity = {}; dealt = kept = null; if (first) line = now.line; if (now.iterations || !now.solving) ask(); else number = -1; }
      else if (rests) { equity = {}; dealt = null; ask(); }
      else if (comes || (awaited && !now.solving)) ask(); // an answer is lost with a cut line
    },
    receive(message) {
      if (message.line !== line || message.id !== asked) return;
      if (message.type === "view") awaits(awaited - 1);
      if (message.type === "view" && message.which === "kept") { kept = message; draw(); }
      else if (message.type === "view") {
        view = message; draw();
        if (!equity[line]) askEquity();
        if (view.kind === "deal" && view.board.length === 4 && !solving && dealt?.line !== line) askCards();
        if (chosen) question("holdings", { player: PLAYERS[chosen.player], class: CLASSES[chosen.at] });
      } else if (message.type === "equity") { equity[line] = message.players; draw(); }
      else if (message.type === "cards") { dealt = message; draw(); }
      else if (message.type === "holdings") drawHoldings(message);
    },
    refused(message) {
      if (message.about === "view") { awaits(awaited - 1); draw(); }
      if (message.about === "view" && view && line !== view.line) line = view.line;
      else if (message.about === "view" && !view && line) go("");
    },
  };
}
