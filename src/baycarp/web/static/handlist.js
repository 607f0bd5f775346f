// The list of hands: a line each, filtered and sorted; only the lines in view are in the page.
import { element } from "./dom.js";

const HIGH = 34, SPARE = 8; // pixels of a line; lines above and below the view
const STREETS = ["preflop", "flop", "turn", "river"];
const ORDERS = { newest: "newest", oldest: "oldest", pots: "biggest pots", won: "most won",
  lost: "most lost" };
const REACHED = [["", "any street"], ["1", "saw the flop"], ["2", "saw the turn"], ["3", "saw the river"]];
const COLUMNS = ["hand", "result", "pot", "seat", "street", "winner"];

const signed = (x) => x == null ? "–" : `${x > 0 ? "+" : x < 0 ? "−" : ""}${Math.abs(x).toFixed(1)}`;
const option = ([value, name]) => element("option", { value }, name);
const same = (name) => [name, name];
const winners = (row) => (row.won ?? []).flatMap((won, at) => won > 0 ? [row.players[at]] : []).join(", ");

// open: shows a hand by its number; isLog: whether hands have names of a log.
export function makeList(open, isLog) {
  let rows = [], shown = [], current = null, hero = "";
  const select = (label, entries) =>
    element("select", { "aria-label": label, onchange: change }, ...entries.map(option));
  const search = element("input", { type: "search", "aria-label": "search hands", placeholder: "hand or name",
    oninput: change });
  const who = select("whose results", []), rival = select("opponent", []);
  const order = select("order", Object.entries(ORDERS)), street = select("street", REACHED);
  const count = element("p", { class: "count" });
  const heads = COLUMNS.map((name) => element("span", {}, name));
  const place = element("div", { id: "hands", role: "listbox", tabindex: 0, "aria-label": "hands", onscroll: draw });
  const filters = element("div", { class: "filters" }, element("div", { class: "row" }, search, who),
    element("div", { class: "row" }, order, street, rival), count,
    element("div", { class: "line head", "aria-hidden": "true" }, ...heads));

  const position = (row) => row.players.indexOf(hero);
  const result = (row) => (hero ? row.won?.[position(row)] : row.won && Math.max(...row.won)) ?? null;
  const KEYS = { newest: (row) => row.number, oldest: (row) => -row.number, pots: (row) => row.pot ?? -1,
    won: (row) => result(row) ?? -Infinity, lost: (row) => -(result(row) ?? Infinity) };

  function change() { hero = who.value; filter(); place.scrollTop = 0; draw(); }

  function fits(row) {
    const text = search.value.trim().toLowerCase();
    return STREETS.indexOf(row.street) >= Number(street.value || 0) && (!hero || row.players.includes(hero))
      && (!rival.value || row.players.includes(rival.value))
      && (!text || [row.id, ...row.players].some((name) => name.toLowerCase().includes(text)));
  }

  function filter() {
    const key = KEYS[order.value];
    shown = rows.filter(fits).sort((a, b) => key(b) - key(a) || b.number - a.number);
    const of = shown.length === rows.length ? "" : `${shown.length} of `;
    count.textContent = `${of}${rows.length} hands; results and pots in big blinds`;
  }

  function words(row, won) {
    const how = won == null ? "result unknown"
      : `${hero || winners(row)} ${won < 0 ? "lost" : "won"} ${Math.abs(won).toFixed(1)} big blinds`;
    const parts = [how, `pot ${row.pot ?? "unknown"}`, row.seats[position(row)], row.street,
      hero && winners(row) ? `won by ${winners(row)}` : "", row.aided ? "with help, not counted" : ""];
    return `hand ${row.id}: ${parts.filter(Boolean).join(", ")}`;
  }

  function line(row, at) {
    const won = result(row);
    const made = element("div", { role: "option", id: `hand-${row.number}`, onclick: () => open(row.number),
      class: `line ${won > 0 ? "won" : won < 0 ? "lost" : ""}`, "aria-selected": String(row.number === current),
      "aria-posinset": at + 1, "aria-setsize": shown.length, "aria-label": words(row, won) },
    element("span", {}, `${row.id}${row.aided ? "*" : ""}`), element("b", {}, signed(won)),
    element("span", {}, row.pot == null ? "–" : row.pot.toFixed(1)),
    element("span", {}, row.seats[position(row)] ?? ""), element("span", {}, row.street),
    element("span", {}, winners(row)));
    made.style.top = `${HIGH * at}px`;
    return made;
  }

  function draw() {
    const first = Math.max(0, Math.floor(place.scrollTop / HIGH) - SPARE);
    const last = Math.min(shown.length, Math.ceil((place.scrollTop + place.clientHeight) / HIGH) + SPARE);
    const inView = shown.slice(first, last);
    const lines = inView.map((row, at) => line(row, first + at));
    const inside = element("div", { class: "inside", role: "presentation" }, ...lines);
    inside.style.height = `${HIGH * shown.length}px`;
    place.replaceChildren(inside);
    const isIn = inView.some((row) => row.number === current);
    if (isIn) place.setAttribute("aria-activedescendant", `hand-${current}`);
    else place.removeAttribute("aria-activedescendant");
  }

  // The names of the lists, those of most hands first; the results of the person, where it plays, or of the winners.
  function drawNames() {
    const counts = new Map();
    for (const row of rows) for (const name of row.players) counts.set(name, (counts.get(name) ?? 0) + 1);
    const all = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
    if (!counts.has(hero)) hero = counts.has("You") ? "You" : "";
    if (who.options.length !== all.length + 1) {
      const kept = rival.value;
      who.replaceChildren(...[["", "all hands"], ...all.map(same)].map(option));
      rival.replaceChildren(...[["", "any opponent"], ...all.filter((name) => name !== hero).map(same)].map(option));
      rival.value = kept;
    }
    who.value = hero;
  }

  return {
    filters, place,
    length: () => rows.length,
    // Summaries from a number on; from 0 the list begins anew.
    add(from, hands) {
      const named = hands.map((hand, at) =>
        ({ ...hand, number: from + at, id: isLog() ? hand.id : String(from + at + 1) }));
      rows = [...rows.slice(0, from), ...named];
      drawNames(); filter(); draw();
    },
    mark(number) {
      current = number;
      const at = shown.findIndex((row) => row.number === number), { scrollTop, clientHeight } = place;
      const isOut = HIGH * at < scrollTop || HIGH * (at + 1) > scrollTop + clientHeight;
      if (at >= 0 && isOut) place.scrollTop = HIGH * (at - 2);
      draw();
    },
    // The number of the hand before or after the shown one, as the list has them; null at its ends.
    beside(by) {
      const at = shown.findIndex((row) => row.number === current);
      return shown[at < 0 ? 0 : at + by]?.number ?? null;
    },
  };
}
