// A new session: the game, the players, the settings of the page and of the table.
import { $, alarm, element } from "../dom.js";
import { choose, settings, tableSettings } from "../settings.js";

const PACES = { 0: "at once", 300: "fast", 700: "calm", 1500: "slow", 4000: "a lesson" };
const CLOCKS = { 0: "no clock", 5: "5 seconds", 10: "10 seconds", 20: "20 seconds", 30: "30 seconds" };
const SEATS = [2, 3, 4, 5, 6, 7, 8, 9];
const FIRST = { limit: ["baycarp", "karma", "jake"], "no-limit": ["baycarp", "sizer", "sizer-3"] };
let line, lobby, session, opponents, began;

const options = (entries, value) => entries.map(([each, name]) => element("option", { value: each, selected: String(each) === String(value) }, name));
const select = (id, label, entries, value, onchange) =>
  element("label", { class: "choice" }, element("span", {}, label), element("select", { id, onchange }, ...options(entries, value)));
const check = (id, label, checked, onchange) =>
  element("label", { class: "choice" }, element("input", { type: "checkbox", id, checked, onchange }), element("span", {}, label));

const game = () => lobby.games.find((each) => each.name === document.querySelector("[name=game]:checked").value);
const seats = () => Number($("seats-of-game").value);
const fitting = () => lobby.players.filter((each) => each.bettings.includes(game().betting) && seats() <= each.most);
const everybody = () => [...lobby.known, ...fitting()];

// Changes of the page apply at once; those of the table are sent.
function change(given) { choose(given); }
function changeTable(given) { choose(given); tableSettings().forEach(line.send); }

function draw() {
  const now = settings();
  const games = lobby.games.map(({ name, words }, at) => element("label", { class: "choice" },
    element("input", { type: "radio", name: "game", value: name, checked: at === 0, onchange: redraw }), element("span", {}, words)));
  $("setup").replaceChildren(
    element("form", { id: "new-session", onsubmit: begin },
      element("h2", {}, "A new session"),
      element("fieldset", {}, element("legend", {}, "Game"), ...games, select("seats-of-game", "Seats", SEATS.map((n) => [n, n]), 4, redraw)),
      element("fieldset", {}, element("legend", {}, "Opponents"), element("div", { id: "opponents" }),
        lobby.known.length ? "" : element("p", { class: "aside-note" }, "For a bot that plays like a player of your hands, start with ", element("code", {}, "baycarp play --from HANDS"), ".")),
      element("fieldset", {}, element("legend", {}, "Adviser"), element("div", { id: "advisers" })),
      element("p", { class: "row" }, element("button", { type: "submit", id: "begin", class: "act" }, "Begin"),
        element("span", { id: "kept", class: "aside-note" }, "The present session is kept in its folder."))),
    element("div", { id: "settings" },
      element("h2", {}, "At the table"),
      select("set-pace", "Pace of the others", Object.entries(PACES), now.pace, (event) => changeTable({ pace: Number(event.target.value) })),
      select("set-clock", "Speed training: a clock on your decision", Object.entries(CLOCKS), now.clock, (event) => changeTable({ clock: Number(event.target.value) })),
      element("p", { class: "aside-note" }, "When the time is over you check, or else fold."),
      check("set-goes-on", "The next hand begins by itself", now.goesOn, (event) => changeTable({ goesOn: event.target.checked })),
      check("set-skips", "After my fold, skip to the end of the hand", now.skips, (event) => changeTable({ skips: event.target.checked })),
      element("h2", {}, "The page"),
      check("set-deck", "Four colours: diamonds blue, clubs green", now.deck === "four", (event) => change({ deck: event.target.checked ? "four" : "two" })),
      check("set-enlarged", "Enlarged", now.enlarged, (event) => change({ enlarged: event.target.checked })),
      check("set-left", "Left-handed", now.leftHanded, (event) => change({ leftHanded: event.target.checked })),
      check("set-sounds", "Sounds", now.sounds, (event) => change({ sounds: event.target.checked })),
      element("p", { class: "aside-note" }, "These settings stay in this browser.")));
  opponents = [];
  redraw();
}

// The lists that depend on the game and the seats; a choice that still fits stays.
function redraw() {
  const found = everybody(), names = found.map((each) => each.name), usual = FIRST[game().betting];
  const entries = found.map(({ name, words }) => [name, `${name}: ${words}`]);
  const count = seats() - 1;
  opponents = Array.from({ length: count }, (_, at) => [opponents[at], usual[at % usual.length], names[0]].find((name) => names.includes(name)));
  $("opponents").replaceChildren(...opponents.map((name, at) => select(`opponent-${at}`, `Seat ${at + 2}`, entries, name, (event) => { opponents[at] = event.target.value; })));
  const adviser = $("adviser")?.value ?? lobby.adviser, fit = fitting();
  $("advisers").replaceChildren(select("adviser", "Advises you", [["", "nobody"], ...fit.map(({ name, words }) => [name, `${name}: ${words}`])], adviser));
}

function begin(event) {
  event.preventDefault();
  began = true;
  $("begin").disabled = true;
  $("kept").textContent = "The players sit down …";
  line.send({ type: "sit", game: game().name, players: opponents, adviser: $("adviser").value });
}

export const view = {
  page: "index", title: "setup", label: "Setup", keys: {},

  open(root, given) {
    line = given; lobby = session = null; began = false;
    root.append(element("section", { id: "setup", "aria-label": "Setup" }, element("p", {}, "…")));
  },

  receive(message) {
    if (message.type === "log" || (message.type === "table" && !message.lobby)) $("setup").replaceChildren(element("p", {}, "No session is begun here: baycarp play has the setup."));
    else if (message.type === "table") {
      if (session == null) line.send({ type: "lobby" });
      else if (began && message.session !== session) { location.hash = "#table"; return; }
      session = message.session;
    } else if (message.type === "lobby") { lobby = message; draw(); }
    else if (message.type === "error" && began) {
      began = false;
      $("begin").disabled = false;
      $("kept").textContent = "";
      alarm(message.reason);
    }
  },

  close() { lobby = null; },
};
