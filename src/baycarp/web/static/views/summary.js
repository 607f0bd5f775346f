// The end of a session: results, the biggest pots, the ways on.
import { $, element } from "../dom.js";
import { drawResults } from "../session.js";

let line, drawn, pauses;

const link = (href, text) => element("a", { href, class: "press" }, text);

function pots(biggest) {
  const row = ({ hand, pot, chips, aided }) => element("tr", {},
    element("th", { scope: "row" }, element("a", { href: `#hands/${hand}` }, `Hand ${hand + 1}`)), element("td", {}, String(pot)),
    element("td", {}, `${chips < 0 ? "−" : "+"}${Math.abs(chips)}`), element("td", {}, aided ? "with help" : ""));
  return element("table", {}, element("thead", {}, element("tr", {}, ...["hand", "pot", "you won"].map((name) => element("th", { scope: "col" }, name)), element("td"))),
    element("tbody", {}, ...biggest.map(row)));
}

function draw(summary) {
  const hasCoach = document.body.dataset.pages.split(" ").includes("coach");
  const others = summary.players.join(", ");
  $("summary").replaceChildren(
    element("h2", {}, "The session"), element("p", {}, `You with ${others}.`, summary.folder ? ` It is kept in ${summary.folder}; its seed is ${summary.seed}.` : ""),
    ...drawResults(summary),
    element("h2", {}, "Biggest pots"), summary.biggest.length ? pots(summary.biggest) : element("p", {}, "No hand is finished yet."),
    element("p", { class: "row ways" }, hasCoach && summary.hands ? link("#review", "Review these hands") : "", link("#hands", "All hands"),
      element("button", { type: "button", id: "play-on", onclick: playOn }, "Play on"), link("#setup", "New session")));
}

function playOn() { location.hash = "#table"; }

export const view = {
  page: "index", title: "the session", keys: { enter: playOn },

  open(root, given) {
    line = given; drawn = pauses = false;
    root.append(element("section", { id: "summary", class: "sheet", "aria-label": "The session" }));
  },

  receive(message) {
    if (message.type === "summary") draw(message);
    else if (message.type === "table" && !drawn) {
      drawn = true;
      pauses = !message.paused;
      if (pauses) line.send({ type: "pause", on: 1 });
      line.send({ type: "summary" });
    }
  },

  // The table goes on, whichever way leads from here.
  close() { if (pauses) line.send({ type: "pause", on: 0 }); },
};
