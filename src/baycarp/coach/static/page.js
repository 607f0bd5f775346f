// A review from the disk: the views of the table's page, answered from the data of the file.
import { $, element } from "./dom.js";
import { view as drill } from "./views/drill.js";
import { view as review } from "./views/review.js";

const { review: found, spots: drilled } = JSON.parse($("data").textContent);
const VIEWS = { review, drill }, isFile = location.protocol === "file:";
let open = null;

for (const { links } of [...found.remarks, ...drilled]) delete links[isFile ? "study" : "command"];

const state = { type: "coach", hands: found.hands, kept: 0, sessions: 0, working: false, ready: true, done: 0, of: 0,
    note: "" };
const line = {
  send(message) {
    const answer = { reviewed: () => ({ type: "reviewed", ...found }), drill: () => ({ type: "drill", day: "",
        spots: drilled }) }[message.type];
    if (answer) open.receive(answer());
  },
};

function show() {
  const name = location.hash === "#drill" ? "drill" : "review", root = element("div", { class: `view view-${name}` });
  open?.close();
  $("view").replaceChildren(root);
  open = VIEWS[name];
  for (const link of $("views").children) if (link.hash === `#${name}`) link.setAttribute("aria-current",
      "page"); else link.removeAttribute("aria-current");
  open.open(root, line, { path: [], query: {} });
  open.receive(state);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches("input, select")) return;
  const key = event.key.toLowerCase();
  if (["enter", " "].includes(key) && event.target.matches("button, a, summary")) return;
  if (open.keys[key] && open.keys[key](event) !== false) event.preventDefault();
});
window.addEventListener("hashchange", show);
$("views").replaceChildren(...Object.entries(VIEWS).map(([name, view]) => element("a", { href: `#${name}`,
    class: name }, view.label)));
document.body.classList.add("from-disk");
show();
