// A frame in sentences: actions in the third person, "You" in the second; cards, results.
import { words as card } from "./cards.js";

const THIRD = { fold: "folds", check: "checks", call: "calls", bet: "bets", raise: "raises to" };
const SECOND = { fold: "fold", check: "check", call: "call", bet: "bet", raise: "raise to" };

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

const isYou = (player) => player.name === "You";
const verb = (player, second, third) => `${player.name} ${isYou(player) ? second : third}`;

// "raises to 20, all-in"
export function action(player, act) {
  const verbs = isYou(player) ? SECOND : THIRD;
  const size = act.amount ? ` ${act.amount}` : "";
  return `${verbs[act.kind]}${size}${act.allIn ? ", all-in" : ""}`;
}

// What a bubble has room for.
export const brief = (player, act) => act.allIn ? `all-in ${act.amount}` : action(player, act);

export const acted = (player, act) => `${player.name} ${action(player, act)}`;

export function posted(player, post) {
  return `${verb(player, "post", "posts")} the ${post.kind}, ${post.paid}`;
}

export const cards = (shown) => shown.map(card).join(", ");

// "a pair of kings", "an ace-high flush", "two pair, ...", "king high".
function withArticle(name) {
  if (!/^(pair|full|royal)|-high/.test(name)) return name;
  return `${/^[ae]/.test(name) ? "an" : "a"} ${name}`;
}

const listed = (names) => [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");

// How the pot was won: a sentence for each player that wins chips, or one for all that win alike.
export function results(frame) {
  const winners = frame.players.filter((player) => player.won > 0);
  if (!winners.length) return ["The hand is over"];
  const shown = (player) => frame.showdown && player.holding ? ` with ${withArticle(player.holding)}` : "";
  const [one] = winners, isSplit = winners.length > 1 && winners.every((player) => Math.abs(player.won - one.won) <= 1);
  if (isSplit) return [`${listed(winners.map((player) => player.name))} split ${sum(winners)}${shown(one)}`];
  return winners.map((player) =>
    `${verb(player, "win", "wins")} ${player.won}${shown(player)}${frame.showdown ? "" : "; all others folded"}`);
}

const sum = (players) => players.reduce((total, player) => total + player.won, 0);

// What a call costs beside what it can win, and how often it must win.
export function potOdds(frame) {
  const { owed } = frame.choices;
  if (!owed) return "There is nothing to call: a check is free";
  const share = Math.round(100 * owed / (frame.pot + owed));
  return `Call ${owed} to win ${frame.pot}: it must win ${share} % of the time`;
}

// Who is to act and what it costs, beside the cards.
export function turn(frame) {
  const { owed } = frame.choices;
  return owed ? `Your turn: ${owed} to call` : "Your turn: a check is free";
}
