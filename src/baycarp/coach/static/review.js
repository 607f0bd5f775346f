// The drill: one spot at a time; an answer by key or button reveals the rest.
const spots = [...document.querySelectorAll(".spot")];
const KEYS = { f: "fold", c: "stay", r: "push" };
let now = 0, right = 0, answered = 0;

function show(number) {
  spots.forEach((spot, i) => { spot.hidden = i !== number; });
  now = number;
}

function answer(kind) {
  const spot = spots[now], box = spot?.querySelector(".answer");
  if (!box || !box.hidden || !spot.querySelector(`[data-answer="${kind}"]`)) return;
  const good = kind === spot.dataset.better;
  answered += 1;
  right += good ? 1 : 0;
  box.hidden = false;
  spot.querySelector(".verdict").textContent = good ? "Right." : "Another action is better.";
  for (const button of spot.querySelectorAll("[data-answer]")) button.disabled = true;
  document.getElementById("score").textContent = `${right} of ${answered} right`;
  spot.querySelector(".next").focus();
}

function next() {
  if (!spots[now] || spots[now].querySelector(".answer").hidden) return;
  if (now + 1 === spots.length) {
    document.getElementById("score").textContent = `The drill is done: ${right} of ${answered} right`;
    return;
  }
  show(now + 1);
  spots[now].querySelector("h3").focus();
}

for (const spot of spots) {
  for (const button of spot.querySelectorAll("[data-answer]")) button.addEventListener("click", () => answer(button.dataset.answer));
  spot.querySelector(".next").addEventListener("click", next);
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key in KEYS) answer(KEYS[key]);
  else if (key === "n") next();
});
if (spots.length) show(0);

// From the disk no study is there to be opened: the command is named instead.
if (location.protocol === "file:") {
  for (const place of document.querySelectorAll(".study")) {
    place.querySelector("a").replaceWith("Study this decision against this player");
    place.querySelector("span").hidden = false;
  }
}
