// The buttons of a turn: fold, check or call, and a bet whose size is a button's, the slider's or a number's.
import { $, announce, element } from "./dom.js";
import { capital, potOdds } from "./words.js";

// A button with its key.
export function button(id, label, key, onclick, settings = {}) {
  return element("button", { type: "button", id, class: "act", onclick, "aria-keyshortcuts": key, ...settings },
    element("span", {}, label), element("kbd", { "aria-hidden": "true" }, key));
}

// act: sends an action of the person.
export function drawBets(place, frame, act) {
  const { fold, stay, callAllIn, bet, owed } = frame.choices;
  const buttons = [button("fold", "Fold", "F", () => act("fold"), { disabled: !fold }),
    button("stay", `${capital(stay)}${callAllIn ? ", all-in" : ""}`, "C", () => act(stay))];
  const chosen = bet ? makeBet(frame, bet, act) : null;
  if (chosen) buttons.push(chosen.go);
  const odds = button("odds", "Pot odds", "O", () => showOdds(frame),
    { class: "little", disabled: !owed });
  place.replaceChildren(element("div", { class: "helps" }, odds),
    element("div", { class: "sizes" }, ...(chosen?.sizes ?? [])), element("div", { class: "buttons" }, ...buttons));
  return chosen;
}

function showOdds(frame) {
  const text = potOdds(frame);
  $("note").textContent = text;
  announce(text);
}

// The button that bets, and what chooses its size; at limit the button alone.
function makeBet(frame, bet, act) {
  const { kind, least, most, steps, sizes } = bet;
  let size = least, isArmed = false;
  const go = button("bet", "", "R", press);
  const inWords = element("output", { id: "size-words", for: "size amount" });
  const slider = element("input", { type: "range", id: "size", min: 0, max: Math.max(0, steps.length - 1), step: 1,
    value: 0, "aria-label": "size of the bet", oninput: () => choose(steps[slider.value]) });
  const amount = element("input", { type: "number", id: "amount", min: least, max: most, step: 1, inputmode: "numeric",
    "aria-label": "size of the bet in chips", oninput: () => typed(), onchange: () => choose(size),
    onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); if (!event.repeat) press(); } } });

  const isAllIn = () => bet.allIn && size === most;
  const named = () => isAllIn() ? `All-in ${size}` : kind === "bet" ? `Bet ${size}` : `Raise to ${size}`;

  function show() {
    go.firstChild.textContent = isArmed ? `Confirm: all-in ${size}` : named();
    go.classList.toggle("armed", isArmed);
    const share = frame.street === "preflop" ? `${trim(size / frame.bigBlind)} bb`
      : `${percent((size - bet.level) / bet.pot)} pot`;
    inWords.textContent = isAllIn() ? "all-in" : share;
    slider.value = nearest(steps, size);
    slider.setAttribute("aria-valuetext", `${named()}, ${share}`);
  }

  function choose(wanted) {
    size = Math.min(most, Math.max(least, Math.round(wanted)));
    amount.value = String(size);
    isArmed = false;
    show();
  }

  // While a number is typed the field stays as it is; what is not legal is not taken.
  function typed() {
    const wanted = Number(amount.value);
    if (!(Number.isInteger(wanted) && wanted >= least && wanted <= most)) return;
    size = wanted;
    isArmed = false;
    show();
  }

  // The whole stack is confirmed once.
  function press() {
    if (isAllIn() && !isArmed) {
      isArmed = true;
      show();
      announce(`All-in ${size}: press once more to confirm`);
    } else act(`${kind} ${size}`);
  }

  choose(least);
  const usual = element("div", { class: "usual", role: "group", "aria-label": "Usual sizes" },
    ...Object.entries(sizes).map(([name, total]) => element("button", { type: "button", class: "little",
      onclick: () => choose(total) }, name === "least" ? "min" : name)));
  const step = (by) => choose(steps[Math.min(steps.length - 1, Math.max(0, Number(slider.value) + by))] ?? least);
  return { go, step, sizes: least === most ? [] : [usual, slider, amount, inWords] };
}

// The number of the step that is nearest to a size.
function nearest(steps, size) {
  const distances = steps.map((step) => Math.abs(step - size));
  return distances.indexOf(Math.min(...distances));
}

const percent = (share) => `${share < 0.01 ? "under 1" : Math.round(100 * share)} %`;
const trim = (count) => String(Number(count.toFixed(1)));
