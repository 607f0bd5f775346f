// The page: one connection, the person's actions, replays; the server holds all state.
import { element } from "./cards.js";
import { drawLog, drawTable } from "./seats.js";
import { drawPanel } from "./panel.js";

const $ = (id) => document.getElementById(id);
let socket, table, replay, at = 0, panel, asked, wait = 300, drawn = "", unsent = [];

// What is pressed while the line opens is sent as soon as it is open; on a cut line nothing is kept.
function send(message) {
  $("error").textContent = "";
  const text = JSON.stringify(message);
  if (socket.readyState === WebSocket.OPEN) socket.send(text);
  else if (socket.readyState === WebSocket.CONNECTING) unsent.push(text);
}

function connect() {
  socket = new WebSocket(`ws://${location.host}${location.pathname}ws`);
  socket.onopen = () => { wait = 300; $("line").textContent = ""; unsent.splice(0).forEach((text) => socket.send(text)); openLink(); };
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = () => { unsent = []; $("line").textContent = "Line cut; connecting again"; setTimeout(connect, wait = Math.min(2 * wait, 5000)); };
}

function openLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.get("hand")) send({ type: "replay", line: given.get("hand"), game: given.get("game") ?? "" });
}

function receive(message) {
  if (message.type === "error") $("error").textContent = message.reason;
  else if (message.type === "table") {
    if (message.practice !== (table?.practice ?? 0)) { replay = null; closePanel(); }
    table = message;
    if (!replay) drawSession();
    drawSide();
  }
  else if (message.type === "log") drawRecorded(message);
  else if (message.type === "replay") { replay = message; at = 0; closePanel(); drawReplay(); }
  else if (message.type === "panel" && asked === key(message)) {
    panel = message;
    const closed = table?.frame.hand === message.hand && !table.frame.over;
    drawPanel($("panel"), message, { close: closePanel, step: stepPanel, again: closed ? null : again });
    $("panel").focus();
  }
}

// Which decision a question and its answer are about: an answer that nobody waits for any more is not shown.
const key = ({ hand, line, game, act }) => JSON.stringify(line == null ? [hand, act] : [line, game, act]);
function closePanel() { $("panel").hidden = true; panel = asked = null; }
function source(shown) {
  if (!shown) return { hand: table.frame.hand };
  return shown.hand == null ? { line: shown.line, game: shown.game } : { hand: shown.hand };
}
function ask(act, shown = replay) {
  const question = { ...source(shown), act };
  asked = key(question);
  send({ type: "panel", ...question });
}
const again = (act) => send({ type: "again", ...source(panel ?? replay), act });
function stepPanel(by) { ask(Math.max(0, panel.act + by), panel); }

// A decision of two players from the flop on is studied as a spot; of others, why not.
function study(frame, number, from) {
  const left = frame.players.length - frame.acts.slice(0, number).filter((act) => act.kind === "fold").length;
  if (frame.acts[number].street === "preflop") return { reason: "Before the flop no spot is solved: study a decision of the flop, the turn or the river." };
  if (left !== 2) return { reason: `${left} players are in: a spot has two.` };
  return { href: `study.html#${new URLSearchParams({ ...from, act: number })}` };
}

function drawSession() {
  const { frame } = table, now = JSON.stringify([frame, table.practice, table.paused, table.open]);
  if (now === drawn) return; // the slider and the focus stay as they are
  drawn = now;
  $("walk").replaceChildren(...(table.practice ? [plain("leave", "Leave the repeated hand", () => send({ type: "leave" }))] : []));
  $("walk").hidden = !table.practice;
  drawTable(frame);
  drawLog(frame, frame.over || table.open ? (act) => ask(act) : null, frame.over ? (act) => study(frame, act, { hand: frame.hand }) : null);
  drawActions(frame);
  $("table").dataset.at = `${table.practice}/${frame.hand}/${frame.acts.length}`;
}

function drawSide() {
  document.body.classList.remove("recorded");
  $("game").textContent = `${table.game.replace("holdem.", "")}${table.open ? ", open cards" : ""}`;
  $("pause").textContent = table.paused ? "Go on" : "Pause";
  $("pause").setAttribute("aria-pressed", table.paused);
  $("pace").value = String(Math.round(1000 * table.pace));
  const { hands, chips, won, withoutLuck } = table.results;
  const figure = ({ mean, margin }) => mean == null ? "–" : `${mean.toFixed(2)}${margin == null ? "" : ` ± ${margin.toFixed(2)}`}`;
  $("results").replaceChildren(element("dl", {}, ...[["hands", hands], ["chips", chips], ["small bets a hand", figure(won)],
    ["luck taken out", figure(withoutLuck)]].flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))])));
  drawHands(Array.from({ length: hands }, (_, hand) => `Hand ${hand + 1}`));
}

function drawHands(names) {
  if ($("hands").children.length === names.length) return;
  $("hands").replaceChildren(...names.map((name, hand) => element("li", {}, element("button", { type: "button",
    onclick: () => send({ type: "replay", hand }) }, name))).reverse());
}

function drawRecorded(message) {
  if (table) { table = replay = null; closePanel(); $("hands").replaceChildren(); openLink(); }
  document.body.classList.add("recorded");
  $("game").textContent = `a log of ${message.hands.length} hands; ${message.adviser} advises`;
  drawHands(message.hands.map((hand) => `Hand ${hand.id}`));
  if (!replay && !location.hash) send({ type: "replay", hand: 0 });
}

function drawActions(frame) {
  const place = $("actions"), may = frame.choices;
  const act = (action) => send({ type: "act", action, hand: frame.hand, at: frame.acts.length });
  if (frame.over) {
    const mine = frame.payoffs[frame.seat];
    $("note").textContent = mine > 0 ? `You win ${mine}` : mine < 0 ? `You lose ${-mine}` : "You break even";
    place.replaceChildren(button("next", "Next hand", "Enter", () => send({ type: "next", hand: frame.hand })));
    return;
  }
  $("note").textContent = may ? "Your turn" : table.paused ? "Paused" : `${frame.players[frame.toAct].name} is to act`;
  if (!may) { place.replaceChildren(); return; }
  const parts = [button("fold", "Fold", "F", () => act("fold"), !may.fold), button("stay", may.stay, "C", () => act(may.stay))];
  if (may.bet) parts.push(...bet(may.bet, act));
  place.replaceChildren(...parts);
}

function bet({ kind, least, most, sizes }, act) {
  const label = (size) => kind === "bet" ? `bet ${size}` : `raise to ${size}`;
  const slider = element("input", { type: "range", id: "size", min: least, max: most, step: 1, value: least, "aria-label": "size of the bet" });
  const go = button("bet", label(least), "R", () => act(`${kind} ${slider.value}`));
  const choose = (size) => { slider.value = size; go.firstChild.textContent = label(slider.value); slider.setAttribute("aria-valuetext", label(slider.value)); };
  slider.addEventListener("input", () => choose(slider.value));
  if (least === most) return [go];
  return [go, element("div", { class: "sizes" }, slider, ...Object.entries(sizes).map(([name, size]) => element("button", { type: "button", onclick: () => choose(size) }, name)))];
}

function button(id, label, key, onclick, disabled = false) {
  return element("button", { type: "button", id, class: "act", disabled, onclick, "aria-keyshortcuts": key }, element("span", {}, label), element("kbd", { "aria-hidden": "true" }, key));
}

const plain = (id, label, onclick) => element("button", { type: "button", id, onclick }, label);

function drawReplay() {
  drawn = "";
  const count = replay.frames.length, frame = replay.frames[at];
  const go = (to) => { at = Math.min(count - 1, Math.max(0, to)); drawReplay(); };
  drawTable(frame);
  const from = replay.hand == null ? { hand_line: replay.line, game: replay.game } : { hand: replay.hand };
  drawLog({ ...replay.frames[count - 1], acts: frame.acts }, (act) => ask(act), (act) => study(frame, act, from));
  $("table").dataset.at = `replay/${at}`;
  $("actions").replaceChildren();
  $("note").textContent = `Replay: ${at} of ${count - 1} actions`;
  const link = `${location.href.split("#")[0]}#${new URLSearchParams({ hand: replay.line, game: replay.game })}`;
  const slider = element("input", { type: "range", id: "step", min: 0, max: count - 1, value: at, "aria-label": "action of the hand", oninput: (event) => go(Number(event.target.value)) });
  const focused = document.activeElement?.id;
  const parts = [plain("back", "Back", () => go(at - 1)), slider, plain("forward", "Forward", () => go(at + 1))];
  if (at < count - 1) parts.push(plain("why", "Why?", () => ask(at)), plain("again", "Play on from here", () => again(at)));
  if (replay.line) parts.push(plain("link", "Copy link", () => navigator.clipboard.writeText(link)),
    element("a", { href: `data:text/plain,${encodeURIComponent(`${replay.line}\n`)}`, download: "hand.log" }, "Save"));
  if (table) parts.push(plain("leave", "Back to the table", leave));
  $("walk").replaceChildren(...parts);
  $("walk").hidden = false;
  if (focused) $(focused)?.focus();
}

function leave() { replay = null; closePanel(); history.replaceState(null, "", location.pathname); drawSession(); }

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const key = event.key.toLowerCase(), size = $("size");
  const press = { f: "fold", c: "stay", r: "bet", p: "pause" }[key];
  if (press) $(press)?.click();
  else if (key === "enter" && !["BUTTON", "A", "SUMMARY"].includes(event.target.tagName)) $("next")?.click();
  else if (key === "escape" && panel) closePanel();
  else if (["arrowleft", "arrowright"].includes(key) && event.target.type !== "range") {
    const by = key === "arrowleft" ? -1 : 1;
    if (panel) stepPanel(by);
    else if (replay) $(by < 0 ? "back" : "forward").click();
    else if (size) { size.value = Number(size.value) + by * Math.max(1, Math.round((size.max - size.min) / 50)); size.dispatchEvent(new Event("input")); }
  }
});
$("pause").addEventListener("click", () => send({ type: "pause", on: table?.paused ? 0 : 1 }));
$("pace").addEventListener("change", (event) => send({ type: "pace", milliseconds: Number(event.target.value) }));
connect();
