// The list of actions of a hand: blinds, streets with their cards, actions with what can be opened there.
import { card } from "./cards.js";
import { $, alarm, element } from "./dom.js";
import { action, capital, results } from "./words.js";

const SHOWN = { preflop: [0, 0], flop: [0, 3], turn: [3, 4], river: [4, 5] };

export const emptyLog = () => element("section", { class: "log", "aria-labelledby": "h-log" },
  element("h2", { id: "h-log" }, "This hand"), element("ol", { id: "log", tabindex: 0, "aria-labelledby": "h-log" }));

// open: shows a decision; study: the address of a decision as a spot, or why it is none.
export function drawLog(frame, open, study) {
  const name = (position) => element("b", {}, frame.players[position].name);
  const posts = frame.posts.map((post) => element("li", {}, name(post.seat), ` ${post.kind} ${post.paid}`));
  let street = "preflop";
  const acts = frame.acts.flatMap((act, number) => {
    const lines = act.street === street ? [] : [head(frame, street = act.street)];
    const player = frame.players[act.seat], what = `${player.name}, ${act.action}`;
    const why = open ? element("button", { type: "button", class: "why", "aria-label": `why: ${what}`,
      onclick: () => open(number) }, "why?") : null;
    const spot = study ? studied(study(number), what) : null;
    return [...lines, element("li", {}, name(act.seat), ` ${action(player, act)} `, why, spot ? " " : null, spot)];
  });
  const end = frame.over ? results(frame).map((line) => element("li", { class: "end" }, line)) : [];
  const later = street === frame.street ? [] : [head(frame, frame.street)];
  $("log").replaceChildren(head(frame, "preflop"), ...posts, ...acts, ...later, ...end);
  $("log").scrollTop = $("log").scrollHeight;
}

function head(frame, street) {
  const shown = frame.board.slice(...SHOWN[street]);
  return element("li", { class: "street" }, street === "preflop" ? "Before the flop" : capital(street),
    ...shown.map((name) => card(name)));
}

function studied({ href, reason }, what) {
  if (href) return element("a", { class: "spot", href, "aria-label": `study as a spot: ${what}` }, "study");
  return element("button", { type: "button", class: "spot closed", title: reason,
    "aria-label": `why this is no spot: ${what}`, onclick: () => alarm(reason) }, "study");
}
