// The page: the address after # chooses the view; one connection a page of the server; keys of the view.
import { $, alarm, announce, element } from "./dom.js";
import { makeLine } from "./line.js";
import { apply } from "./settings.js";
import { view as drill } from "./views/drill.js";
import { view as hands } from "./views/hands.js";
import { view as review } from "./views/review.js";
import { view as setup } from "./views/setup.js";
import { view as study } from "./views/study.js";
import { view as summary } from "./views/summary.js";
import { view as table } from "./views/table.js";

const VIEWS = { table, hands, review, drill, study, setup, summary };
const SERVED = document.body.dataset.pages.split(" "); // pages of the server; a view of another page is not shown
const lines = {};
const FEW = 3; // tries after which the server has probably ended
let open = null, opened = "";

const served = Object.keys(VIEWS).filter((name) => SERVED.includes(VIEWS[name].page));
const lineOf = (page) => lines[page] ??= makeLine(page, { receive, changed });

function receive(line, message) {
  if (message.type === "error") alarm(message.reason);
  if (open && lines[open.page] === line) open.receive(message);
}

function changed(line) {
  if (!open || lines[open.page] !== line) return;
  const ended = line.tries > FEW ? ". If the program has ended, start it again: its new page goes on with the session" : "";
  const text = line.isOpen ? "" : `Line cut; connecting again${ended}`;
  if (text && text !== $("line").textContent) announce(text);
  $("line").textContent = text;
}

// "hands/12/3?x=1" is the view of hands, the path ["12", "3"] and the query { x: "1" }.
function read(address) {
  const [way, query = ""] = address.split(/\?(.*)/s);
  const [name, ...path] = way.split("/");
  return { name, params: { path, query: Object.fromEntries(new URLSearchParams(query)) } };
}

function route() {
  const { name, params } = read(location.hash.slice(1));
  show(served.includes(name) ? name : served[0], params);
}

function show(name, params) {
  alarm("");
  const view = VIEWS[name], isOther = name !== opened;
  if (!isOther && view.go) { view.go(params); return; }
  open?.close();
  const root = element("div", { class: `view view-${name}` });
  $("view").replaceChildren(root);
  open = view;
  opened = name;
  document.title = `baycarp: ${view.title}`;
  for (const link of $("views").children) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  const line = lineOf(view.page);
  view.open(root, { send: (message) => { alarm(""); line.send(message); } }, params);
  if (line.state) view.receive(line.state);
  changed(line);
}

// Without the jump to an element of that name that a browser makes.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.hash !== location.hash) history.pushState(null, "", link.hash);
  route();
  $("view").focus({ preventScroll: true });
});
window.addEventListener("hashchange", route);

const WRITES = "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select";
const PRESSES = "button, a, summary, [type=checkbox], [type=radio]"; // they take Enter and the space themselves

document.addEventListener("keydown", (event) => {
  if (!open || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const key = event.key.toLowerCase(), target = event.target;
  if (target.matches(WRITES) && key !== "escape") return;
  if (["enter", " "].includes(key) && target.matches(PRESSES)) return;
  if (target.matches("[type=range]") && /^(arrow|page|home|end)/.test(key)) return;
  const act = open.keys[key];
  if (!act) return;
  if (event.repeat && !open.repeats?.includes(key)) { event.preventDefault(); return; }
  if (act(event) !== false) event.preventDefault();
});

$("views").replaceChildren(...served.filter((name) => VIEWS[name].label).map((name) => element("a", { href: `#${name}`, class: name }, VIEWS[name].label)));
apply();
route();
