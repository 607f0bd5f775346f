// The session beside the table: results with their intervals, stacks, the clock of a decision, tones.
import { $, element } from "./dom.js";
import { restore } from "./settings.js";
import { play } from "./sound.js";

const LUCK = "Luck taken out: what good and bad cards gave by chance is subtracted. The mean stays the same; the interval is narrower, so that fewer hands show how well you play. The statistics of recorded hands adjust all-ins alone.";
const ENOUGH = 20; // hands from which on the server gives an interval
let before = null;

const signed = (x, digits) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(digits)}`;
const rate = ({ mean, margin }) => mean == null ? "–" : `${signed(mean, 1)}${margin == null ? "" : ` ± ${margin.toFixed(1)}`}`;

// Terms and figures of results, of the session or of its summary.
export function drawResults({ hands, counted, chips, won, withoutLuck }) {
  const rows = [["Hands", hands], ["Chips", signed(chips, 0)], ["bb/100", rate(won)], ["bb/100, luck taken out", rate(withoutLuck)]];
  const notes = [counted < ENOUGH ? `An interval comes from ${ENOUGH} hands on.` : "± is the 95 % interval. bb/100: big blinds per 100 hands.",
    counted < hands ? `${hands - counted} with a hint or open cards: not counted.` : ""];
  return [element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))])),
    element("p", { class: "aside-note" }, notes.filter(Boolean).join(" ")),
    element("details", { class: "aside-note" }, element("summary", {}, "What is luck here?"), element("p", {}, LUCK))];
}

const stacks = (depth) => depth ? `Every hand begins with ${depth} big blinds for each player.` : "Stacks cover every bet; each hand begins anew.";

export function drawSession(place, table, send) {
  restore(table, send);
  const key = JSON.stringify([table.results, table.aided, table.depth, table.practice, table.lobby]);
  if (place.dataset.key !== key) {
    const open = place.querySelector("details")?.open;
    place.dataset.key = key;
    place.replaceChildren(
      ...(table.practice ? [element("p", {}, "A repeated hand: nothing of it is counted.")] : drawResults(table.results)),
      element("p", { class: "aside-note" }, `${stacks(table.depth)} Nobody rebuys: results count all hands.`),
      table.aided && !table.practice ? element("p", { class: "aided" }, "This hand has help: it is not counted.") : "",
      element("p", { class: "row" }, element("a", { href: "#summary", id: "end", class: "press" }, "End session"),
        table.lobby ? element("a", { href: "#setup", class: "press" }, "New session") : ""));
    if (open) place.querySelector("details").open = true;
  }
  tones(table);
  drawClock(table);
}

function tones(table) {
  const { frame } = table, now = { turn: frame.choices ? `${frame.hand}/${frame.acts.length}` : "", over: frame.over ? frame.hand : -1 };
  if (before && now.turn && now.turn !== before.turn) play("turn");
  if (before && now.over >= 0 && now.over !== before.over) play(frame.players[frame.seat].won > 0 ? "won" : "lost");
  before = now;
}

// The bar runs in the page; the server alone decides that the time is over.
let running = null;
function drawClock({ left, settings, paused, frame }) {
  const bar = $("clock");
  cancelAnimationFrame(running);
  bar.hidden = left == null || !frame.choices;
  if (bar.hidden) return;
  const end = performance.now() + left, whole = 1000 * settings.clock;
  const draw = () => {
    const rest = Math.max(0, end - performance.now());
    bar.firstChild.style.width = `${(100 * rest / whole).toFixed(1)}%`;
    bar.classList.toggle("late", rest < 0.25 * whole);
    if (rest > 0 && !paused && bar.isConnected) running = requestAnimationFrame(draw);
  };
  draw();
}

export const emptyClock = () => element("div", { id: "clock", role: "timer", "aria-label": "time of your decision", hidden: true }, element("span", {}));
