// While others act: an action chosen ahead, or the rest of a hand skipped after a fold.
import { button } from "./bets.js";
import { element } from "./dom.js";

const CHOICES = [["check/fold", "Check or fold ahead", "Y"], ["check", "Check ahead", "U"]];

// The buttons of a turn of others.
export function drawAhead(place, table, send) {
  const { frame, ahead, folded } = table, now = { hand: frame.hand, at: frame.acts.length };
  const choose = (choice) => () => send({ type: "ahead", choice: choice === ahead ? "" : choice, ...now });
  const end = () => send({ type: "skip", hand: frame.hand });
  const skip = button("skip", "Skip to the end", "S", end, { class: "little" });
  const choices = CHOICES.map(([choice, label, key], number) => button(`ahead-${number}`, label, key, choose(choice),
    { class: "little", "aria-pressed": String(choice === ahead) }));
  place.replaceChildren(element("div", { class: "sizes" }, ...(folded ? [skip] : choices)));
}
