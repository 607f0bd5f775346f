// The seats, the board and the list of actions, drawn from a frame.
import { card, element } from "./cards.js";

const $ = (id) => document.getElementById(id);

export function drawTable(frame) {
  const count = frame.players.length;
  const own = frame.players.findIndex((player) => player.name === "You");
  const first = frame.seat ?? (own < 0 ? count - 1 : own); // below: the person, also in a replay
  const seats = frame.players.map((player, position) => {
    const turn = frame.toAct === position, you = frame.seat === position;
    const place = (position - first + count) % count;
    const marks = [position === frame.button ? "dealer" : "", player.folded ? "folded" : "", turn ? "to act" : ""].filter(Boolean);
    const cards = player.cards.length ? player.cards.map(card) : player.folded ? [] : [card(), card()];
    const paid = frame.payoffs ? frame.payoffs[position] : null;
    return element("li", { class: `seat p${place} of${count} ${you ? "you" : ""} ${player.folded ? "folded" : ""} ${turn ? "turn" : ""}`,
      "aria-label": [player.name, player.seat, ...marks].join(", ") },
      element("div", { class: "cards" }, ...cards),
      element("b", {}, player.name, position === frame.button ? element("i", { class: "button", "aria-label": "dealer button" }, "D") : ""),
      element("span", { class: "chips" }, player.stack == null ? `${player.seat} · ${player.in} in` : `${player.seat} · ${player.stack} · ${player.in} in`),
      element("span", { class: `last ${paid > 0 ? "won" : ""}` }, paid != null ? `${paid > 0 ? "+" : ""}${paid}` : turn ? "…" : player.last ? player.last.action : ""));
  });
  $("seats").replaceChildren(...seats);
  $("board").replaceChildren(...frame.board.map(card), ...Array.from({ length: 5 - frame.board.length }, () => element("span", { class: "hole" })));
  $("pot").textContent = `Pot ${frame.pot}`;
}

// open: shows a decision; study: the address of a decision as a spot, or why it is none.
export function drawLog(frame, open, study) {
  let street = "";
  const lines = frame.acts.flatMap((act, number) => {
    const head = act.street === street ? [] : [element("li", { class: "street" }, (street = act.street))];
    const why = open ? element("button", { type: "button", class: "why", "aria-label": `why: ${frame.players[act.seat].name}, ${act.action}`,
      onclick: () => open(number) }, "why?") : null;
    return [...head, element("li", {}, element("b", {}, frame.players[act.seat].name), ` ${act.action} `, why, study ? " " : null, study ? studied(study(number), `${frame.players[act.seat].name}, ${act.action}`) : null)];
  });
  $("log").replaceChildren(...lines);
}

function studied({ href, reason }, what) {
  return href ? element("a", { class: "spot", href, target: "_blank", rel: "noopener", "aria-label": `study as a spot: ${what}` }, "study")
    : element("button", { type: "button", class: "spot closed", title: reason, "aria-label": `why this is no spot: ${what}`, onclick: () => { $("error").textContent = reason; } }, "study");
}
