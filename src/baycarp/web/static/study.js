// The study of a spot: one connection; the server has the spot, the solutions and the lists of names.
import { makeForm } from "./spotform.js";
import { makeWalk } from "./walk.js";

const $ = (id) => document.getElementById(id);
let socket, wait = 300, study, unsent = [], said = 0, known = "";

export function send(message) {
  $("error").textContent = "";
  const text = JSON.stringify(message);
  if (socket.readyState === WebSocket.OPEN) socket.send(text);
  else if (socket.readyState === WebSocket.CONNECTING) unsent.push(text);
}

const form = makeForm(send, () => walk.locks());
const walk = makeWalk(send, () => form.solve());

function connect() {
  socket = new WebSocket(`ws://${location.host}${location.pathname.replace(/study\.html$/, "study/ws")}`);
  socket.onopen = () => { wait = 300; $("line").textContent = ""; unsent.splice(0).forEach((text) => socket.send(text)); };
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = () => { unsent = []; study = null; $("line").textContent = "Line cut; connecting again"; setTimeout(connect, wait = Math.min(2 * wait, 5000)); };
}

// What the address names: a decision of the table, the hand of a link, or the fields of a spot.
function openLink() {
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (given.board) form.fill(given);
  else if (given.act) {
    const source = given.hand == null ? { line: given.hand_line ?? "", game: given.game ?? "" } : { hand: Number(given.hand) };
    send({ type: "open", act: Number(given.act), ...source });
  }
  history.replaceState(null, "", location.pathname);
}

function receive(message) {
  if (message.type === "error") { $("error").textContent = message.reason; walk.refused(message); }
  else if (message.type === "check") form.checked(message);
  else if (message.type === "study") {
    const first = !study, before = known;
    study = message;
    known = JSON.stringify(study.fields);
    form.lists(study);
    if (first || known !== before) { form.fill(study.fields, study.opened); if (study.opened && !first) walk.suggest(study.opened.lock); }
    if (first && location.hash.length > 1) openLink();
    form.progress(study);
    walk.state(study);
    report(study);
  } else walk.receive(message);
}

// The live region says how far a solve is, at most once in a second and a half.
function report({ solving, iterations, exploitability, seconds, note, solved, free, target }) {
  if (solving && Date.now() - said < 1500 && iterations) return;
  said = Date.now();
  const measure = exploitability == null ? "" : `${iterations ? `${iterations} iterations` : "the best response, exact"}; exploitability ${exploitability.toFixed(exploitability < 1 ? 3 : 2)} % of the pot (target ${target} %), ${seconds.toFixed(1)} s`;
  const parts = [solving ? (iterations ? `Solving: ${measure}` : "The tree and the locks are made") : solved ? `Solved: ${measure}` : ""];
  if (!solving && free != null) parts.push(`in the game without locks ${free.toFixed(3)} %`);
  if (note) parts.push(note);
  $("status").textContent = parts.filter(Boolean).join("; ");
}

window.addEventListener("hashchange", () => { if (location.hash.length > 1) openLink(); });
connect();
