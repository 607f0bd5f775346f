// What is read out as a hand goes on: all that is new since the frame before, in the order in which it happened.
import { acted, capital, cards, posted, results, turn } from "./words.js";

const SHOWN = { flop: [0, 3], turn: [3, 4], river: [4, 5] };

// The sentences from one frame to the next; before = null: the hand as it stands.
export function news(frame, before) {
  const isSame = before && before.hand === frame.hand && before.acts.length <= frame.acts.length;
  const from = isSame ? before.acts.length : 0;
  let street = isSame ? before.street : "preflop";
  const lines = isSame ? [] : start(frame);
  for (const act of frame.acts.slice(from)) {
    if (act.street !== street) lines.push(...dealt(frame, street, street = act.street));
    lines.push(acted(frame.players[act.seat], act));
  }
  if (frame.street !== street) lines.push(...dealt(frame, street, frame.street));
  if (frame.over && !(isSame && before.over)) lines.push(...end(frame));
  if (frame.choices && !(isSame && before.choices && from === frame.acts.length)) lines.push(turn(frame));
  return lines;
}

function start(frame) {
  const own = frame.seat == null ? null : frame.players[frame.seat];
  const hand = `Hand ${frame.hand + 1}${own ? `. You are ${own.seat} with ${cards(own.cards)}` : ""}`;
  return [hand, ...frame.posts.map((post) => posted(frame.players[post.seat], post))];
}

// The cards of the streets after one, up to another: all-in players see several at once.
function dealt(frame, after, to) {
  const streets = Object.keys(SHOWN), from = streets.indexOf(after) + 1;
  return streets.slice(from, streets.indexOf(to) + 1).map((name) =>
    `${capital(name)}: ${cards(frame.board.slice(...SHOWN[name]))}`);
}

function end(frame) {
  const shown = !frame.showdown ? [] : frame.players.filter((player) => !player.folded && player.holding)
    .map((player) => `${player.name}: ${player.holding}`);
  return [...shown, ...results(frame)];
}
