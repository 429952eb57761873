"use strict";
// Steps through an export: the positions of a game as one viewer, or one of several, saw them.

const frames = JSON.parse(document.getElementById("frames").textContent);
const at = (id) => document.getElementById(id);
let viewer = Object.keys(frames.views)[0];
let step = 0;
let timer = null;

const last = () => frames.views[viewer].told.length - 1;

function show() {
  const view = frames.views[viewer];
  const [width, height, items] = view[isNarrow() ? "narrow" : "wide"][step];
  drawTable(at("table"), { width, height, items: items.map((k) => frames.pool[k]) }, frames.sprites, frames.title);
  at("slider").max = last();
  at("slider").value = step;
  at("count").textContent = `${step} of ${last()}`;
  at("told").textContent = view.told[step] || "the game begins";
  at("text").textContent = view.text[step];
  drawThought(at("thought"), view.thought[step]);
  at("result").textContent = step === last() && frames.result.scores
    ? "Points: " + Object.entries(frames.result.scores).map(([a, p]) => `${a} ${p}`).join(", ")
    : "";
}

function go(to) {
  step = Math.max(0, Math.min(last(), to));
  show();
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (step < last() ? go(step + 1) : play(false)), 800) : null;
  at("play").textContent = on ? "Pause" : "Play";
}

document.title = `${frames.title}: replay`;
at("title").textContent = frames.title;
at("players").textContent = Object.entries(frames.agents).map(([seat, who]) => `${seat}: ${who}`).join(", ");
for (const name of Object.keys(frames.views)) at("viewer").append(new Option(name === "open" ? "open cards" : name, name));
at("viewer").disabled = Object.keys(frames.views).length < 2;
at("viewer").addEventListener("change", (event) => { viewer = event.target.value; show(); });
at("slider").addEventListener("input", (event) => go(Number(event.target.value)));
at("first").addEventListener("click", () => go(0));
at("back").addEventListener("click", () => go(step - 1));
at("on").addEventListener("click", () => go(step + 1));
at("end").addEventListener("click", () => go(last()));
at("play").addEventListener("click", () => {
  if (step === last()) step = 0;
  play(timer === null);
});
document.addEventListener("keydown", (event) => {
  if (["INPUT", "SELECT"].includes(event.target.tagName)) return;
  const keys = { ArrowLeft: -1, ArrowRight: 1 };
  if (event.key in keys) go(step + keys[event.key]);
  if (event.key === "Home") go(0);
  if (event.key === "End") go(last());
});
window.addEventListener("resize", show);
show();
