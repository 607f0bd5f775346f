// The drill: decide a spot until it is right, or commit a read and see the belief; spots come again by boxes.
import { scroll, situation, upper, ways, worth } from "../decision.js";
import { $, announce, element } from "../dom.js";
import { rangeOf } from "../ranges.js";

const KINDS = { decide: "Decide", read: "Read the opponent" };
const LEVELS = ["never", "seldom", "sometimes", "often"];
const LATER = 3; // spots after which one that was wrong comes again
let line, spots, day, queue, spot, kind, theme, tries, done, score, ready;

const button = (id, label, key, onclick, settings = {}) => element("button", { type: "button", id, class: "act",
    onclick, "aria-keyshortcuts": key.toUpperCase(), ...settings },
  element("span", {}, label), element("kbd", { "aria-hidden": "true" }, key.toUpperCase()));
const isDue = ({ box }) => !box || box.due <= day;
const date = (iso) => new Date(`${iso}T00:00`).toLocaleDateString("en", { day: "numeric", month: "long" });

function draw(root) {
  root.append(
    element("p", { id: "drill-none" }),
    element("div", { id: "drill", hidden: true },
      element("div", { class: "coach-tools" },
        element("label", {}, "Drill ", element("select", { id: "kind", onchange: begin },
            ...Object.entries(KINDS).map(([value, name]) => element("option", { value }, name)))),
        element("label", {}, "Theme ", element("select", { id: "theme", onchange: begin })),
        element("p", { id: "score" })),
      element("article", { id: "spot", "aria-label": "The spot" }),
      element("p", { id: "keys" }, ...[["F", " fold "], ["C", " check or call "], ["R", " bet or raise "],
          ["S", " show me "], ["N", " next "]].flatMap(([key, does]) => [element("kbd", {}, key), does]))));
}

function lists() {
  $("kind").parentElement.hidden = !spots.some((each) => each.read);
  const themes = [...new Set(spots.map((each) => each.theme).filter(Boolean))];
  $("theme").replaceChildren(element("option", { value: "" }, "all themes"),
    ...themes.map((name) => element("option", { value: name }, name)));
}

function begin() {
  kind = $("kind").value; theme = $("theme").value; score = { answered: 0, right: 0 };
  queue = spots.filter((each) => (!theme || each.theme === theme) && (kind === "decide" || each.read));
  queue = [...queue.filter(isDue), ...queue.filter((each) => !isDue(each))];
  next();
}

function progress() {
  const due = queue.filter(isDue).length + (spot && !done ? 1 : 0);
  $("score").textContent = `${score.answered ? `${score.right} of ${score.answered} right at first; ` : ""}${due} to do now`;
}

function next() {
  spot = queue.shift() ?? null;
  done = false; tries = 0;
  progress();
  if (!spot) {
    $("spot").replaceChildren(element("p", { class: "none" }, "No spot is left here. Choose another theme, or play on."));
    return;
  }
  const head = [element("h2", { id: "spot-head", tabindex: -1 }, `${upper(spot.street)}, ${spot.seat}`),
      where(spot.box)];
  $("spot").replaceChildren(...head, situation(spot), element("div", { id: "verdict", role: "status" }),
    kind === "decide" ? answers() : reading(), element("div", { id: "after" }));
  $("spot-head").focus({ preventScroll: true });
}

function where(box) {
  if (!box) return element("p", { id: "box" }, day ? "New." : "");
  const again = box.due <= day ? "now" : `on ${date(box.due)}`;
  return element("p", { id: "box" }, `Box ${box.box} of 5: comes again ${again}.`);
}

// Keys: of several sizes the first has R, the others have digits.
function answers() {
  const used = {};
  return element("p", { id: "answers" }, ...spot.answers.map((each) => {
    used[each.key] = (used[each.key] ?? 0) + 1;
    const key = used[each.key] === 1 ? each.key : String(used[each.key]);
    return button(`answer-${key}`, upper(each.name), key, ({ currentTarget }) => answer(each, currentTarget));
  }), button("show", "Show me", "s", show));
}

function verdict(isRight, words, sentence) {
  $("verdict").className = isRight ? "right" : "wrong";
  $("verdict").replaceChildren(element("strong", {}, words), element("p", {}, sentence));
  $("verdict").scrollIntoView({ block: "nearest" });
}

function settle(isRight) {
  if (tries === 1) { score.answered += 1; score.right += isRight ? 1 : 0; }
  if (!isRight && tries === 1) queue.splice(Math.min(LATER, queue.length), 0, spot);
}

function answer(given, pressed) {
  if (done) return;
  tries += 1;
  settle(given.right);
  line.send({ type: "answer", key: spot.key, action: given.action, first: tries === 1 ? 1 : 0 });
  if (given.right) {
    const others = spot.answers.filter((each) => each.right && each !== given).map((each) => each.name);
    verdict(true, `Right: ${given.name}.`,
        `${others.length ? `${upper(others.join(", "))} is as good. ` : ""}${spot.sentence}`);
    finish();
  } else {
    pressed.classList.add("tried");
    verdict(false, `Wrong: ${given.name}${given.lost ? ` loses ${given.lost.toFixed(2)} bb` : ""}.`,
        `${spot.sentence} Try again, or press S.`);
    progress();
  }
}

function show() {
  if (done || kind !== "decide") return;
  if (!tries) { tries = 1; settle(false); line.send({ type: "answer", key: spot.key, action: "", first: 1 }); }
  verdict(false, `${upper(spot.best)} is right.`, spot.sentence);
  finish();
}

function finish() {
  done = true;
  for (const each of $("spot").querySelectorAll("#answers button, #read input, #read button")) each.disabled = true;
  const yours = kind === "decide" ? element("p", {},
      `You chose ${spot.taken} then${spot.cost ? `, which cost ${spot.costWords} bb` : ""}.`) : null;
  $("verdict").append(button("next-spot", "Next spot", "n", next));
  if (yours) $("after").replaceChildren(yours, worth(spot), ways(spot));
  $("next-spot").focus({ preventScroll: true });
  progress();
}

// A read: how often the opponent holds each group, before the belief is shown.
function reading() {
  const rows = spot.read.groups.map((name, at) => element("tr", {}, element("th", { scope: "row" }, upper(name)),
    ...LEVELS.map((level, value) => element("td", {}, element("label", {},
      element("input", { type: "radio", name: `group-${at}`, value, checked: value === 1, "aria-label": `${name}: ${level}` }),
      element("span", {}, level))))));
  return element("form", { id: "read", onsubmit: commit }, element("p", {},
      `What does ${spot.read.about} hold here, beside an opponent with any two cards?`),
    scroll("Your read", element("table", {}, element("tbody", {}, ...rows))),
    element("button", { id: "commit", class: "act" }, "Commit"));
}

function commit(event) {
  event?.preventDefault();
  if (done) return;
  const chosen = (at) => document.querySelector(`input[name="group-${at}"]:checked`).value;
  const levels = spot.read.groups.map((_, at) => Number(chosen(at)));
  line.send({ type: "read", key: spot.key, levels });
}

function believed(message) {
  const { groups, chances, unread, player, right } = message, percent = (x) => `${Math.round(100 * x)} %`;
  tries = 1;
  spot.box = message.box;
  $("box").replaceWith(where(message.box));
  settle(right);
  const points = Math.max(0, Math.round(100 * message.score));
  verdict(right, message.score == null ? "Nothing to read." : `Your read is worth ${points} of 100.`, message.sentence);
  finish();
  const rows = groups.map((name, at) => element("tr", {}, element("th", { scope: "row" }, upper(name)),
    element("td", {}, percent(chances[at])), element("td", {}, percent(unread[at]))));
  $("after").replaceChildren(element("table", { class: "values" }, element("caption", {}, `The belief about ${player}`),
    element("thead", {}, element("tr", {},
      ...["group", "belief", "any two cards"].map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows)),
  rangeOf(message), ways(spot));
}

const press = (id) => () => { const found = $(id); if (!found || found.disabled) return false; found.click(); };

export const view = {
  page: "coach", title: "drill", label: "Drill",
  keys: { ...Object.fromEntries(["f", "c", "r", "2", "3", "4", "5"].map((key) => [key, press(`answer-${key}`)])),
      s: press("show"), n: press("next-spot"), enter: () => (done ? press("next-spot")() : press("commit")()) },

  open(root, given) {
    line = given; spot = null; spots = []; ready = false;
    draw(root);
  },

  receive(message) {
    if (message.type === "coach") {
      const none = message.working ? `Reviewing: ${message.done} of ${message.of} hands`
        : "Review your hands first: the drill has their costliest spots.";
      $("drill-none").textContent = message.ready ? "" : none;
      if (message.ready && !ready) line.send({ type: "drill" });
      if (!message.ready) $("drill").hidden = true;
      ready = message.ready;
    } else if (message.type === "drill") {
      ({ spots, day } = message);
      $("drill").hidden = !spots.length;
      if (!spots.length) { $("drill-none").textContent = "No mistake was found: there is nothing to drill."; return; }
      lists();
      begin();
      announce(`The drill has ${spots.length} spots`);
    } else if (message.type === "answered" && spot?.key === message.key && message.box) {
      spot.box = message.box;
      $("box").replaceWith(where(message.box));
    } else if (message.type === "belief" && spot?.key === message.key) believed(message);
  },

  close() { spot = null; },
};
