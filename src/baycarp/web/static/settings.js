// What the person chose for the page, kept in this browser alone.
const PLACE = "baycarp settings";
const USUAL = { deck: "two", enlarged: false, leftHanded: false, sounds: false, pace: 700, goesOn: false, skips: false, clock: 0 };

// What is stored is taken field by field: another kind of value, or no storage, is the usual one.
function read() {
  let stored = {};
  try { stored = JSON.parse(localStorage.getItem(PLACE)) ?? {}; } catch { /* no storage, or another text in it */ }
  const known = Object.entries(USUAL).filter(([name, usual]) => typeof stored[name] === typeof usual);
  return { ...USUAL, ...Object.fromEntries(known.map(([name]) => [name, stored[name]])) };
}

let chosen = read(), isChosen = false;
try { isChosen = localStorage.getItem(PLACE) != null; } catch { /* no storage */ }

export const settings = () => chosen;

export function choose(change) {
  chosen = { ...chosen, ...change };
  isChosen = true;
  try { localStorage.setItem(PLACE, JSON.stringify(chosen)); } catch { /* they last as long as the page */ }
  apply();
}

export function apply() {
  document.body.dataset.deck = chosen.deck;
  document.body.classList.toggle("enlarged", chosen.enlarged);
  document.body.classList.toggle("left-handed", chosen.leftHanded);
}

// The settings that the table has, as messages.
export const tableSettings = () => [{ type: "pace", milliseconds: chosen.pace },
  { type: "settings", goesOn: Number(chosen.goesOn), skips: Number(chosen.skips), clock: chosen.clock }];

// Once a page: a table that was started anew gets what was chosen before.
let isRestored = false;
export function restore(table, send) {
  if (isRestored) return;
  isRestored = true;
  const { goesOn, skips, clock } = table.settings;
  const now = [Math.round(1000 * table.pace), goesOn, skips, clock];
  const differs = JSON.stringify(now) !== JSON.stringify([chosen.pace, chosen.goesOn, chosen.skips, chosen.clock]);
  if (isChosen && differs) tableSettings().forEach(send);
}
