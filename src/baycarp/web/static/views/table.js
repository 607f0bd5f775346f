// The table: the hand as the person observes it, the actions, the session's results.
import { drawAhead } from "../ahead.js";
import { button, drawBets } from "../bets.js";
import { $, announce, element } from "../dom.js";
import { drawLog, emptyLog } from "../log.js";
import { emptyPanel, makeOpened, study } from "../opened.js";
import { drawTable, emptyTable } from "../seats.js";
import { drawSession, emptyClock } from "../session.js";
import { choose } from "../settings.js";
import { news } from "../speak.js";
import { results, turn } from "../words.js";

const PACES = { 0: "at once", 300: "fast", 700: "calm", 1500: "slow", 4000: "a lesson" };
const KEYS = [["F", "fold"], ["C", "check or call"], ["R", "bet or raise"], ["← →", "size"], ["O", "pot odds"],
  ["H", "hint"], ["Y", "check or fold ahead"], ["U", "check ahead"], ["S", "skip to the end"],
  ["Enter", "next hand"], ["P", "pause"]];
let line, table, drawn, shown, opened, bet;

const plain = (id, label, onclick, settings = {}) =>
  element("button", { type: "button", id, onclick, ...settings }, label);

function draw(root) {
  root.classList.add("with-aside");
  root.append(
    element("div", {}, tools(), emptyTable(), emptyClock(),
      element("section", { id: "actions", "aria-label": "Your action", tabindex: -1, onkeydown: once }),
      element("section", { id: "walk", "aria-label": "A repeated hand", hidden: true })),
    element("aside", {}, emptyPanel(),
      element("section", { "aria-labelledby": "h-results" }, element("h2", { id: "h-results" }, "Session"),
        element("div", { id: "results" })),
      emptyLog(),
      element("details", { id: "keys" }, element("summary", {}, "Keys"),
        element("ul", {}, ...KEYS.map(([key, does]) => element("li", {}, element("kbd", {}, key), ` ${does}`))))));
}

function tools() {
  const turnPause = () => line.send({ type: "pause", on: table?.paused ? 0 : 1 });
  const pause = plain("pause", "Pause", turnPause, { "aria-pressed": "false" });
  const setPace = ({ target }) => {
    choose({ pace: Number(target.value) });
    line.send({ type: "pace", milliseconds: Number(target.value) });
  };
  const options = Object.entries(PACES).map(([value, name]) => element("option", { value }, name));
  const hint = plain("hint", "Hint", () => opened.hint(table.frame), { "aria-keyshortcuts": "H" });
  const open = plain("open-cards", "Open cards", () => line.send({ type: "open" }), { "aria-keyshortcuts": "X" });
  return element("div", { class: "tools" }, element("p", { id: "game" }), hint, open, pause,
    element("label", {}, "Pace ", element("select", { id: "pace", onchange: setPace }, ...options)));
}

// A key that is held acts once, on a button that has the focus too.
function once(event) {
  if (event.repeat && event.target.tagName === "BUTTON") event.preventDefault();
}

function drawHand() {
  const { frame, practice, session, paused, open, ahead, folded } = table;
  const now = JSON.stringify([frame, practice, paused, open, ahead, folded]);
  if (now === drawn) return; // the slider and the focus stay as they are
  const isSame = shown && shown.practice === practice && shown.session === session;
  const before = isSame ? shown.frame : null;
  news(frame, before).forEach(announce);
  drawn = now;
  shown = table;
  const leave = plain("leave", "Leave the repeated hand", () => line.send({ type: "leave" }));
  $("walk").replaceChildren(...(practice ? [leave] : []));
  $("walk").hidden = !practice;
  drawTable(frame, before);
  drawLog(frame, frame.over || open ? (act) => opened.ask(act, { hand: frame.hand }) : null,
    frame.over ? (act) => study(frame, act, { hand: frame.hand }) : null);
  $("note").textContent = note(frame);
  keepingFocus($("actions"), () => drawActions(frame));
  $("table").dataset.at = `${session}/${practice}/${frame.hand}/${frame.acts.length}`;
}

function note(frame) {
  if (frame.over) return results(frame).join("; ");
  if (frame.choices) return turn(frame);
  return table.paused ? "Paused" : `${frame.players[frame.toAct].name} is to act`;
}

function drawActions(frame) {
  const place = $("actions");
  bet = null;
  if (frame.choices) {
    const at = { hand: frame.hand, at: frame.acts.length };
    bet = drawBets(place, frame, (action) => line.send({ type: "act", action, ...at }));
  } else if (frame.over) {
    place.replaceChildren(element("div", { class: "buttons" },
      button("next", "Next hand", "Enter", () => line.send({ type: "next", hand: frame.hand }))));
  } else drawAhead(place, table, line.send);
}

// The focus stays on the button of its name, or else at the place of the buttons.
function keepingFocus(place, work) {
  const held = place.contains(document.activeElement) ? document.activeElement.id : null;
  work();
  if (held !== null) (document.getElementById(held) ?? place).focus({ preventScroll: true });
}

function drawSide() {
  $("game").textContent = `${table.frame.game}${table.open ? ", open cards" : ""}`;
  $("hint").hidden = !table.adviser;
  $("hint").disabled = !table.frame.choices;
  $("open-cards").hidden = !table.open || table.frame.over;
  $("pause").textContent = table.paused ? "Go on" : "Pause";
  $("pause").setAttribute("aria-pressed", table.paused);
  $("pace").value = String(Math.round(1000 * table.pace));
  drawSession($("results"), table, line.send);
}

function arrow(by) {
  if (opened.panel()) opened.step(by);
  else bet?.step(by);
}

const press = (id) => () => $(id)?.click();

export const view = {
  page: "index", title: "a table", label: "Table",
  keys: { f: press("fold"), c: press("stay"), r: press("bet"), o: press("odds"), h: press("hint"),
    x: press("open-cards"), y: press("ahead-0"), u: press("ahead-1"), s: press("skip"), p: press("pause"),
    enter: press("next"),
    escape: () => { if (opened.panel()) opened.close(); }, arrowleft: () => arrow(-1), arrowright: () => arrow(1) },
  repeats: ["arrowleft", "arrowright"],

  open(root, given) {
    line = given; table = shown = bet = null; drawn = "";
    const isOpen = ({ hand }) => table.frame.hand === hand && !table.frame.over;
    opened = makeOpened(line.send, (panel) =>
      isOpen(panel) ? null : (act) => line.send({ type: "again", hand: panel.hand, act }));
    draw(root);
  },

  receive(message) {
    if (message.type === "log") location.replace("#hands"); // only hands are served
    else if (message.type === "panel" || message.type === "hint") opened.receive(message);
    else if (message.type === "table") {
      if (table && message.practice !== table.practice) opened.close();
      table = message;
      opened.goesOn(table.frame);
      drawHand();
      drawSide();
    }
  },

  close() { table = null; },
};
