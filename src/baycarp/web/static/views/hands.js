// The hands of the session, or of a log: a list, and the replay of one.
import { $, alarm, announce, element } from "../dom.js";
import { makeList } from "../handlist.js";
import { emptyPanel, makeOpened, source, study } from "../opened.js";
import { drawLog, emptyLog } from "../log.js";
import { drawTable, emptyTable } from "../seats.js";
import { news } from "../speak.js";
import { results } from "../words.js";

let line, state, replay, at, opened, wanted, list, asked, practice;

const plain = (id, label, onclick) => element("button", { type: "button", id, onclick }, label);
const KEYS = [["↑ ↓", "hand"], ["← →", "action"], ["W", "why"], ["S", "study"], ["Esc", "close"]];

function draw(root) {
  root.classList.add("with-aside");
  list = makeList(show, () => state.type === "log");
  const keys = KEYS.map(([key, does]) => element("li", {}, element("kbd", {}, key), ` ${does}`));
  root.append(
    element("div", {}, element("p", { id: "game" }), element("p", { id: "none" }),
      element("div", { id: "shown", hidden: true }, emptyTable(),
        element("section", { id: "walk", "aria-label": "Replay" })),
      element("section", { id: "keys", "aria-label": "Keys" }, element("ul", {}, ...keys))),
    element("aside", {}, emptyPanel(), element("section", { "aria-labelledby": "h-hands" },
      element("h2", { id: "h-hands" }, "Hands"), list.filters, list.place), emptyLog()));
}

// "hands/12/3": hand 12 at its action 3; "hands?line=...&game=...": the hand of a link.
function ask({ path, query }) {
  wanted = Number(path[1] ?? 0) || 0;
  if (query.line) line.send({ type: "replay", line: query.line, game: query.game ?? "" });
  else if (path[0]) line.send({ type: "replay", hand: Number(path[0]) });
}

// Summaries are asked for page by page, until the list has all.
function fetchHands(count) {
  if (list.length() >= count || asked === list.length()) return;
  asked = list.length();
  line.send({ type: "hands", from: asked });
}

function drawReplay() {
  const count = replay.frames.length, frame = replay.frames[at];
  $("shown").hidden = false;
  $("none").hidden = true;
  const before = at ? replay.frames[at - 1] : null;
  drawTable(frame, before);
  if (before) news(frame, before).forEach(announce);
  drawLog(frame, why, (act) => study(frame, act, source(replay)));
  $("table").dataset.at = `replay/${at}`;
  $("note").textContent = `Replay: ${at} of ${count - 1} actions${frame.over ? `. ${results(frame).join("; ")}` : ""}`;
  history.replaceState(null, "", replay.hand == null ? location.hash : `#hands/${replay.hand}/${at}`);
  const slider = element("input", { type: "range", id: "step", min: 0, max: count - 1, value: at,
    "aria-label": "action of the hand", oninput: (event) => go(Number(event.target.value)) });
  const focused = document.activeElement?.id;
  const parts = [plain("back", "Back", () => go(at - 1)), slider, plain("forward", "Forward", () => go(at + 1))];
  if (at < count - 1)
    parts.push(plain("why", "Why?", () => why(at)), spot(), plain("again", "Play on", () => again(replay, at)));
  if (replay.line) parts.push(...shared());
  $("walk").replaceChildren(...parts);
  if (focused) $(focused)?.focus();
}

// The decision that comes next, as a spot; where it is none, why.
function spot() {
  const { href, reason } = study(replay.frames.at(-1), at, source(replay));
  return href ? element("a", { id: "study-spot", class: "button", href }, "Study")
    : plain("study-spot", "Study", () => alarm(reason));
}

// The hand as a link, and as a file.
function shared() {
  const link = `${location.href.split("#")[0]}#hands?${new URLSearchParams({ line: replay.line, game: replay.game })}`;
  const text = `data:text/plain,${encodeURIComponent(`${replay.line}\n`)}`;
  return [plain("link", "Copy link", () => navigator.clipboard.writeText(link)),
    element("a", { href: text, download: "hand.log" }, "Save")];
}

const go = (to) => { at = Math.min(replay.frames.length - 1, Math.max(0, to)); drawReplay(); };
const why = (act) => opened.ask(act, replay);
function again(shown, act) { line.send({ type: "again", ...source(shown), act }); location.hash = "#table"; }

function show(hand) { wanted = 0; line.send({ type: "replay", hand }); }

const press = (id) => () => { $(id)?.click(); };
const arrow = (by) => { if (opened.panel()) opened.step(by); else $(by < 0 ? "back" : "forward")?.click(); };
function other(by) {
  const hand = list.beside(by);
  if (hand != null) show(hand);
}

export const view = {
  page: "index", title: "hands", label: "Hands",
  keys: { escape: () => { if (opened.panel()) opened.close(); },
    arrowleft: () => arrow(-1), arrowright: () => arrow(1),
    arrowup: () => other(-1), arrowdown: () => other(1), w: press("why"), s: press("study-spot") },
  repeats: ["arrowleft", "arrowright"],

  open(root, given, params) {
    line = given; state = replay = asked = practice = null; at = 0;
    opened = makeOpened(line.send, (panel) => (act) => again(panel, act));
    draw(root);
    ask(params);
  },

  go: ask,

  receive(message) {
    if (message.type === "panel") opened.receive(message);
    else if (message.type === "hands") { list.add(message.from, message.hands); fetchHands(message.count); }
    else if (message.type === "replay") {
      replay = message; at = Math.min(wanted, replay.frames.length - 1);
      opened.close();
      drawReplay();
      list.mark(replay.hand);
    } else if (message.type === "log") {
      $("game").textContent = `a log of ${message.hands} hands; ${message.adviser} advises`;
      if (!state && location.hash.split(/[/?]/).length < 2) show(0);
      state = message;
      fetchHands(message.hands);
    } else if (message.type === "table") {
      state = message;
      if (practice !== message.practice) { practice = message.practice; asked = null; list.add(0, []); }
      fetchHands(message.results.hands);
      $("none").textContent = message.results.hands ? "Choose a hand." : "No hand is finished yet.";
    }
  },

  close() { replay = null; },
};
