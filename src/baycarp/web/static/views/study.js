// The study of a spot; the server has the spot, the solutions and the lists of names.
import { $, element } from "../dom.js";
import { makeForm } from "../spotform.js";
import { makeWalk } from "../walk.js";

let line, study, form, walk, said, known, wanted, from = "";

// What the address names: a decision of the table, the hand of a link, or the fields of a spot.
function openLink(given) {
  if (given.board) form.fill(given);
  else if (given.act) {
    const isLink = given.hand == null;
    const source = isLink ? { line: given.line ?? "", game: given.game ?? "" } : { hand: Number(given.hand) };
    line.send({ type: "open", act: Number(given.act), ...source });
    from = isLink ? `#hands?${new URLSearchParams(source)}` : `#hands/${given.hand}/${given.act}`;
  }
  history.replaceState(null, "", "#study");
}

// From an opened decision back to its hand.
function wayBack() {
  if (study.opened && from)
    $("opened").append(element("p", {}, element("a", { id: "way-back", href: from }, "Back to the hand")));
}

// The live region says how far a solve is, at most once in a second and a half.
function report({ solving, iterations, exploitability, seconds, note, solved, free, target }) {
  if (solving && Date.now() - said < 1500 && iterations) return;
  said = Date.now();
  const found = iterations ? `${iterations} iterations` : "the best response, exact";
  const gap = `${exploitability?.toFixed(exploitability < 1 ? 3 : 2)} % of the pot (target ${target} %)`;
  const measure = exploitability == null ? "" : `${found}; exploitability ${gap}, ${seconds.toFixed(1)} s`;
  const goes = iterations ? `Solving: ${measure}` : "The tree and the locks are made";
  const parts = [solving ? goes : solved ? `Solved: ${measure}` : ""];
  if (!solving && free != null) parts.push(`in the game without locks ${free.toFixed(3)} %`);
  if (note) parts.push(note);
  $("status").textContent = parts.filter(Boolean).join("; ");
}

export const view = {
  page: "study", title: "study a spot", label: "Study", keys: {},

  open(root, given, { query }) {
    line = given; study = null; said = 0; known = ""; wanted = query;
    root.append($("study-view").content.cloneNode(true));
    form = makeForm(line.send, () => walk.locks());
    walk = makeWalk(line.send, () => form.solve());
    view.keys = walk.keys;
  },

  go({ query }) { openLink(query); },

  receive(message) {
    if (message.type === "error") walk.refused(message);
    else if (message.type === "check") form.checked(message);
    else if (message.type === "study") {
      const first = !study, before = known;
      study = message;
      known = JSON.stringify(study.fields);
      form.lists(study);
      if (first || known !== before) {
        form.fill(study.fields, study.opened);
        wayBack();
        if (study.opened && !first) walk.suggest(study.opened.lock);
      }
      if (first && Object.keys(wanted).length) openLink(wanted);
      form.progress(study);
      walk.state(study);
      report(study);
    } else walk.receive(message);
  },

  close() { study = null; },
};
