// The seats, their bets, the board and the pot, drawn from a frame.
import { card } from "./cards.js";
import { chips, stack } from "./chips.js";
import { $, element } from "./dom.js";
import { brief } from "./words.js";

// The table before anything is drawn on it.
export const emptyTable = () => element("section", { id: "table", "aria-label": "Table" },
  element("div", { id: "oval" },
    element("div", { id: "felt" }),
    element("ol", { id: "seats" }),
    element("div", { id: "bets", "aria-hidden": "true" }),
    element("div", { id: "middle" }, element("p", { id: "pot" }),
      element("div", { id: "board", role: "group", "aria-label": "Board" }))),
  element("p", { id: "note" }));

// before: the frame that was drawn before, of which only what is new is set in motion; null = nothing is.
export function drawTable(frame, before = null) {
  const earlier = before && before.hand === frame.hand && before.acts.length <= frame.acts.length ? before : null;
  const isNewHand = before !== null && before.hand !== frame.hand;
  const count = frame.players.length, first = nearest(frame);
  const place = (position) => `p${(position - first + count) % count} of${count}`;
  const raised = winningCards(frame);
  $("seats").replaceChildren(...frame.players.map((player, position) =>
    seat(frame, position, { place: place(position), raised, old: earlier?.players[position], isNewHand })));
  drawBets(frame, place, earlier);
  drawBoard(frame, raised, earlier);
}

// The seat that is drawn below: the person, also in a replay.
function nearest(frame) {
  const own = frame.players.findIndex((player) => player.name === "You");
  return frame.seat ?? (own < 0 ? frame.players.length - 1 : own);
}

// The cards that make the best hands of the winners at a showdown.
function winningCards(frame) {
  if (!frame.over || !frame.showdown) return new Set();
  return new Set(frame.players.filter((player) => player.won > 0).flatMap((player) => player.best));
}

const raisedClass = (frame, raised, name) => !raised.size ? "" : raised.has(name) ? "raised" : "lowered";

function seat(frame, position, { place, raised, old, isNewHand }) {
  const player = frame.players[position];
  const isTurn = frame.toAct === position, isOwn = frame.seat === position, isWinner = frame.over && player.won > 0;
  const hole = player.cards.length ? player.cards.map((name) => card(name, { mark: raisedClass(frame, raised, name) }))
    : player.folded ? [] : [card(), card()];
  const isShown = old && !old.cards.length && player.cards.length;
  const classes = ["seat", place, isOwn && "you", player.folded && "folded", isTurn && "turn", isWinner && "winner",
    isNewHand && "dealt", isShown && "shown"];
  const said = bubble(frame, player);
  const isNews = said && said !== (old ? bubble({ over: false }, old) : said);
  return element("li", { class: classes.filter(Boolean).join(" "), "aria-label": label(frame, position, said) },
    element("div", { class: "cards" }, ...hole),
    element("div", { class: "plate" },
      element("b", { class: "name", title: player.name }, player.name),
      badge(player, position === frame.button),
      player.stack == null ? null : element("span", { class: "stack" }, String(player.after ?? player.stack)),
      player.holding ? element("span", { class: "holding" }, player.holding) : null),
    said ? element("span", { class: `bubble ${isNews ? "new" : ""}` }, isWinner ? stack(player.won) : null, said)
      : null);
}

function badge(player, isButton) {
  const name = player.seat === player.name ? "" : player.seat;
  if (!name && !isButton) return null;
  const kind = isButton ? "button" : ["SB", "BB"].includes(name) ? "blind" : "";
  return element("span", { class: `badge ${kind}`, title: isButton ? "dealer button" : null }, name || "D");
}

function bubble(frame, player) {
  if (frame.over && player.won > 0) return `${player.name === "You" ? "win" : "wins"} ${player.won}`;
  if (frame.over && !player.folded) return "";
  return player.last ? brief(player, player.last) : player.allIn ? "all-in" : "";
}

function label(frame, position, said) {
  const player = frame.players[position];
  const marks = [position === frame.button ? "dealer" : "", player.folded ? "folded" : "",
    frame.toAct === position ? "to act" : "", player.stack == null ? "" : `${player.stack} chips`,
    player.bet ? `bet ${player.bet}` : "", said, player.holding];
  return [player.name, player.seat, ...marks].filter(Boolean).join(", ");
}

// The bets before the seats; of a street that is over they move to the pot, and the pot to its winners.
function drawBets(frame, place, earlier) {
  const isNewStreet = earlier && (earlier.street !== frame.street || frame.over && !earlier.over);
  const bets = frame.players.flatMap((player, position) => {
    const old = earlier?.players[position].bet ?? 0, found = [];
    if (isNewStreet && old) found.push(chips(old, { class: `bet gone ${place(position)}` }));
    if (player.bet) {
      const isNew = earlier && player.bet !== (isNewStreet ? 0 : old);
      found.push(chips(player.bet, { class: `bet ${isNew ? "new" : ""} ${place(position)}` }));
    }
    if (earlier && !earlier.over && player.won > 0) {
      found.push(chips(player.won, { class: `bet won ${place(position)}` }));
    }
    return found;
  });
  $("bets").replaceChildren(...bets);
}

function drawBoard(frame, raised, earlier) {
  const known = earlier ? earlier.board.length : frame.board.length;
  const shown = frame.board.map((name, number) =>
    card(name, { mark: `${raisedClass(frame, raised, name)} ${number >= known ? "new" : ""}`.trim() }));
  const holes = Array.from({ length: 5 - frame.board.length }, () => element("span", { class: "hole" }));
  $("board").replaceChildren(...shown, ...holes);
  const isWon = frame.over && frame.players.some((player) => player.won > 0);
  const pots = frame.pots.map((pot, number) => `${number ? "side" : "main"} ${pot}`);
  $("pot").textContent = isWon ? "" : `Pot ${frame.pot}${pots.length ? ` (${pots.join(", ")})` : ""}`;
}
