// An opened decision beside a hand: asked, drawn, stepped through, closed. It lies over the right column, or as a
// sheet at the foot of a narrow screen, and moves nothing.
import { $, element } from "./dom.js";
import { drawPanel } from "./panel.js";

export const emptyPanel = () =>
  element("section", { id: "panel", "aria-label": "Decision", tabindex: -1, hidden: true });

// Which decision a question and its answer are about: an answer that nobody waits for any more is not shown.
const key = ({ hand, line, game, act }) => JSON.stringify(line == null ? [hand, act] : [line, game, act]);

// The fields of a message that name the hand of a replay, or of a panel.
export const source = ({ hand, line, game }) => hand == null ? { line, game } : { hand };

// again: plays on from a decision of a panel, or null where it may not.
export function makeOpened(send, again) {
  let asked = null, panel = null, from = null;
  const ask = (question, message) => { asked = key(question); from ??= document.activeElement; send(message); };
  const opened = {
    panel: () => panel,
    ask(act, shown) {
      const question = { ...source(shown), act };
      ask(question, { type: "panel", ...question });
    },
    // The advice for a turn; it is closed as soon as the hand goes on.
    hint({ hand, acts }) { ask({ hand, act: acts.length }, { type: "hint", hand, at: acts.length }); },
    step(by) { if (panel.taken != null) opened.ask(Math.max(0, panel.act + by), panel); },
    close() {
      $("panel").hidden = true;
      document.body.classList.remove("has-panel");
      if ($("panel").contains(document.activeElement) && from?.isConnected) from.focus({ preventScroll: true });
      panel = asked = from = null;
    },
    goesOn({ hand, acts }) {
      if (panel?.taken === null && (hand !== panel.hand || acts.length !== panel.act)) opened.close();
    },
    receive(message) {
      if (asked !== key(message)) return;
      panel = message;
      const isHint = message.taken == null, from = { ...source(message), act: message.act };
      const ways = isHint ? {} : { again: again(message), study: studyOf(message.situation, from) };
      drawPanel($("panel"), message, { close: opened.close, step: opened.step, ...ways });
      document.body.classList.add("has-panel");
      $("panel").focus({ preventScroll: true });
    },
  };
  return opened;
}

// A decision of two players from the flop on is studied as a spot; of others, why not.
function spotAt(street, left, from) {
  if (street === "preflop") return { reason: "Before the flop no spot is solved: study a decision of a later street." };
  if (left !== 2) return { reason: `${left} players are in: a spot has two.` };
  return { href: `#study?${new URLSearchParams(from)}` };
}

const studyOf = ({ street, players }, from) => spotAt(street, players.filter((player) => !player.folded).length, from);

export function study(frame, number, from) {
  const left = frame.players.length - frame.acts.slice(0, number).filter((act) => act.kind === "fold").length;
  return spotAt(frame.acts[number].street, left, { ...from, act: number });
}
