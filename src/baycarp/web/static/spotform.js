// The spot as it is typed or clicked: board, chips, sizes, both ranges; errors in words beside the field.
import { card, words } from "./cards.js";
import { $, element } from "./dom.js";
import { CLASSES, fill, makeGrid, percent } from "./grid.js";

const NAMES = { board: "Cards", pot: "Pot, chips", stack: "Stack behind, chips", sizes: "Bets", raises: "Raises", betting: "Betting",
  rake: "Rake, share of the pot", cap: "Rake, at most", donk: "Bets into the last bettor", line: "The street so far" };
const HINTS = { sizes: "60% of the pot, e geometric, 100c chips, a all-in; river: 75% for a street", raises: "2.5x the bet, a all-in",
  line: "such as check, bet 120", donk: "empty: as other bets" };
const PLAYERS = { oop: "First to act (out of position)", ip: "Second to act (in position)" };

export function makeForm(send, locks) {
  let timer, asked = 0, painted = "", smaller = null, checkedOnce = false, solving = false;
  const inputs = {}, grids = {}, weights = { oop: [], ip: [] };

  const later = (wait = 250) => { asked += 1; clearTimeout(timer); $("solve").disabled = true; timer = setTimeout(check, wait); };
  const values = () => Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value]));
  function check() { asked += 1; $("size").textContent = "The tree is measured …"; send({ type: "check", id: asked, ...values() }); }

  function labelled(name, input) {
    inputs[name] = input;
    input.id = `f-${name}`;
    input.setAttribute("aria-describedby", `e-${name}${HINTS[name] ? ` h-${name}` : ""}`);
    input.addEventListener("input", () => { painted = ""; if (name === "board") drawBoard(); if (name === "betting") drawBetting(); later(); });
    return element("p", { class: `field ${name}` }, element("label", { for: `f-${name}` }, NAMES[name] ?? "As text"), input,
      HINTS[name] ? element("small", { id: `h-${name}` }, HINTS[name]) : null, element("span", { class: "wrong", id: `e-${name}` }));
  }
  const text = (name, more = {}) => labelled(name, element("input", { type: "text", autocomplete: "off", spellcheck: "false", ...more }));

  $("board-cards").append(text("board", { size: 12 }));
  $("board-cards").firstChild.append(element("span", { id: "board-drawn" }));
  $("fields").append(text("pot", { inputmode: "decimal" }), text("stack", { inputmode: "decimal" }), text("sizes"), text("raises"));
  $("more-fields").append(labelled("betting", element("select")), text("line"), text("donk"), text("rake", { inputmode: "decimal" }), text("cap", { inputmode: "decimal" }));

  const deck = [..."shdc"].flatMap((suit) => [..."AKQJT98765432"].map((rank) => rank + suit));
  const keys = deck.map((name) => element("button", { type: "button", class: `key ${name[1]}`, "aria-pressed": "false", "aria-label": words(name),
    onclick: () => toggle(name) }, `${name[0]}${{ s: "♠", h: "♥", d: "♦", c: "♣" }[name[1]]}`));
  $("deck").append(...keys);
  const boardCards = () => inputs.board.value.match(/(?:10|[2-9TJQKA])[shdc]/gi)?.map((each) => each.replace("10", "T")).map((each) => each[0].toUpperCase() + each[1].toLowerCase()) ?? [];
  function toggle(name) {
    const now = boardCards();
    if (!now.includes(name) && now.length >= 5) return wrong("board", "five cards are on the board: take one away first");
    inputs.board.value = (now.includes(name) ? now.filter((each) => each !== name) : [...now, name]).join("");
    drawBoard(); later(0);
  }
  // A game of limit has sizes of its own.
  function drawBetting() {
    const isLimit = inputs.betting.value.startsWith("holdem.limit");
    for (const name of ["sizes", "raises", "donk"]) inputs[name].closest(".field").hidden = isLimit;
  }
  function drawBoard() {
    const now = boardCards();
    keys.forEach((key, at) => key.setAttribute("aria-pressed", now.includes(deck[at])));
    $("board-drawn").replaceChildren(...now.slice(0, 5).map(card));
  }

  for (const [player, title] of Object.entries(PLAYERS)) {
    const slider = element("input", { type: "range", min: 0, max: 100, step: 5, value: 100, id: `w-${player}` });
    const shown = element("output", { for: `w-${player}` }, "100 %");
    slider.addEventListener("input", () => { shown.textContent = `${slider.value} %`; });
    let brush = 1;
    const changed = new Set();
    const paint = (at, starts) => {
      const own = Number(slider.value) / 100;
      asked += 1; // what is checked now is of the range before
      if (starts) { changed.clear(); brush = Math.abs(weights[player][at] - own) < 0.01 ? 0 : own; }
      weights[player][at] = brush; changed.add(at); draw(player);
    };
    const done = () => {
      const base = inputs[player].value.trim() || "random";
      inputs[player].value = [base, ...[...changed].map((at) => `${CLASSES[at]}:${brush}`)].join(",");
      painted = player; later(0);
    };
    const grid = makeGrid(`Range: ${title}`, { paint, done });
    grids[player] = grid.cells;
    const presets = element("select", { "aria-label": `a usual range: ${title}`, onchange: (event) => {
      inputs[player].value = event.target.value; event.target.selectedIndex = 0; painted = player; later(0);
    } });
    $("ranges").append(element("fieldset", { class: "range", "data-player": player }, element("legend", {}, title),
      element("p", { class: "row" }, presets, element("label", { for: `w-${player}` }, "Weight "), slider, shown),
      grid.place, element("p", { class: "total", id: `t-${player}` }), labelled(player, element("textarea", { rows: 2, placeholder: "all holdings", spellcheck: "false" }))));
    grid.presets = presets;
    grids[`${player}-presets`] = presets;
  }
  function draw(player) {
    weights[player].forEach((weight, at) => fill(grids[player][at], [["cell", 1]], weight, weight > 0 && weight < 0.995 ? `${Math.round(100 * weight)}` : "", percent(weight)));
  }

  function wrong(name, reason) {
    const place = $(`e-${name}`) ?? $("size");
    place.textContent = reason;
    if (inputs[name]) inputs[name].setAttribute("aria-invalid", reason ? "true" : "false");
  }

  $("spot").addEventListener("submit", (event) => { event.preventDefault(); solve(); });
  $("stop").addEventListener("click", () => send({ type: "stop" }));
  $("more").addEventListener("click", () => send({ type: "more", target: target() / (target() >= last ? 2 : 1) }));
  let last = Infinity;
  const target = () => Number($("target").value.replace(",", "."));
  function solve() {
    clearTimeout(timer);
    send({ type: "solve", ...values(), target: target() || 0, locks: locks(), keep: $("keep-label").hidden || !$("keep").checked ? 0 : 1 });
  }

  function select(place, names, value) {
    if ([...place.options].map((each) => each.value).join() === names.map(([name]) => name).join()) return;
    place.replaceChildren(...names.map(([name, shown]) => element("option", { value: name }, shown)));
    if (value != null) place.value = value;
  }

  return {
    solve,
    lists({ games, presets }) {
      select(inputs.betting, games.map((name) => [name, name.replace("holdem.", "")]), inputs.betting.value || games[0]);
      for (const player of Object.keys(PLAYERS)) {
        const place = grids[`${player}-presets`];
        if (!place.options.length) place.append(element("option", { value: "" }, "a usual range …"), ...Object.entries(presets).map(([name, range]) => element("option", { value: range }, name)));
      }
    },
    fill(fields, opened) {
      for (const [name, value] of Object.entries(fields)) if (inputs[name]) inputs[name].value = value;
      drawBoard(); drawBetting();
      $("opened").hidden = !opened;
      if (opened) {
        const [own, other] = [opened.players[opened.toAct], opened.players[1 - opened.toAct]];
        $("opened").replaceChildren(element("p", {}, "To act: ", element("b", {}, own), ", against ", element("b", {}, other), `${opened.hole ? `, with ${opened.hole}` : ""}. The hand went on with: ${opened.taken}.`),
          element("p", {}, `The ranges are what ${opened.model} believes of both${opened.hands ? `, after ${opened.hands} hands` : ""}. ${other} is locked to play like ${opened.lock.name}${opened.lock.street ? " on this street" : ""}: Solve gives the best answer. Without the lock it gives the equilibrium.`));
      }
      if (fields.line || fields.betting !== "no-limit") $("more-fields").parentElement.open = true;
      painted = ""; later(0);
    },
    checked(message) {
      if (message.id !== asked) return;
      $("size").textContent = "";
      for (const name of Object.keys(inputs)) wrong(name, message.errors[name] ?? "");
      if (message.errors.spot) $("size").textContent = message.errors.spot;
      for (const [player, found] of Object.entries(message.ranges)) {
        weights[player] = found.grid; draw(player);
        $(`t-${player}`).textContent = `${found.total} of 1326 holdings`;
        if (painted === player) inputs[player].value = found.text === "random" ? "" : found.text;
      }
      painted = "";
      smaller = message.smaller ?? null;
      $("solve").disabled = solving || Object.keys(message.errors).length > 0 || message.fits === false;
      if (!message.size) return;
      const tree = Object.entries(message.tree).map(([name, count]) => `${count} ${name}`).join(", ");
      $("size").textContent = message.fits ? `${message.size} of memory; ${tree}` : `This spot takes ${message.size}, above the ${message.limit} that are free. ${smaller ? `Bets ${smaller.sizes || "none"}, raises ${smaller.raises || "none"} take ${smaller.size}. ` : "Name a later street, or narrower ranges."}`;
      if (smaller && !message.fits) $("size").append(element("button", { type: "button", id: "smaller", onclick: () => { inputs.sizes.value = smaller.sizes; inputs.raises.value = smaller.raises; later(0); } }, "Use these"));
    },
    progress(study) {
      const was = solving;
      solving = study.solving;
      last = study.exploitability ?? Infinity;
      if (!checkedOnce) { checkedOnce = true; $("target").value = study.target; }
      $("stop").hidden = !study.solving;
      $("more").hidden = study.solving || !study.solved;
      $("keep-label").hidden = !study.solved;
      $("solve").textContent = study.solved ? "Solve again" : "Solve";
      if (was !== solving) { $("solve").disabled = solving; if (!solving) later(0); }
    },
  };
}
