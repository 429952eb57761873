"use strict";
// The page: starts games, shows what the seat sees, sends what its player does.

const at = (id) => document.getElementById(id);
const PACE = 700; // milliseconds between the moves of agents
let games = [];
let key = null; // the session
let state = null; // what was told last
let live = null; // number of steps of the running game
let looking = null; // a step looked at, null: the latest
let viewer = null;
let paused = false;
let choseAt = null; // where the player chose last, at the table or among the actions: there the focus returns
let busy = false;
let queue = Promise.resolve();
let timer = null;

async function call(method, path, body) {
  const asked = { method, headers: {} };
  if (body !== undefined) {
    asked.headers["Content-Type"] = "application/json";
    asked.body = typeof body === "string" ? body : JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, asked);
  } catch {
    throw new Error("The server does not answer.");
  }
  const answer = await response.json().catch(() => ({ error: `The server said ${response.status}.` }));
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
  return answer;
}

function problem(text) {
  at("problem").textContent = text || "";
  at("problem").hidden = !text;
}

// One thing after the other; what goes wrong is told.
function guarded(work) {
  queue = queue.then(async () => {
    try {
      problem("");
      await work();
    } catch (error) {
      if (error.status === 404) leave();
      if (error.status === 409) await refresh().catch(() => {});
      problem(error.message);
    }
  });
  return queue;
}

// A second click that comes before the first one is answered is no second wish.
function once(work) {
  if (busy) return;
  busy = true;
  guarded(work).finally(() => {
    busy = false;
  });
}

// --- starting a game

function make(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const chosen = () => games.find((game) => game.id === at("game").value);

function optionField(option) {
  const id = `option-${option.name}`;
  const input = option.values.length
    ? make("select", { id }, ...option.values.map((value) => new Option(String(value), JSON.stringify(value))))
    : make("input", { id, type: "text", value: JSON.stringify(option.default) });
  if (option.values.length) input.value = JSON.stringify(option.default);
  input.dataset.option = option.name;
  return make("label", { className: "field" }, option.name, input, make("small", {}, option.meaning));
}

function showForm() {
  const game = chosen();
  at("about").textContent = game.about;
  at("options").replaceChildren(...game.options.map(optionField));
  at("option-players").addEventListener("change", showSeats);
  showSeats();
}

function showSeats() {
  const count = JSON.parse(at("option-players").value);
  const { agents, ppo_players: trained } = chosen();
  const offered = agents.filter((agent) => agent !== "ppo" || trained.includes(count));
  const seats = [];
  for (let seat = 0; seat < count; seat++) {
    const select = make("select", { id: `seat-${seat}` });
    if (seat === 0) select.append(new Option("you", "human"));
    for (const agent of offered) select.append(new Option(agent, agent));
    select.value = seat === 0 ? "human" : chosen().agents.includes("greedy") ? "greedy" : "random";
    seats.push(make("label", { className: "field" }, `player_${seat}`, select));
  }
  at("seats").replaceChildren(...seats);
}

function readOptions() {
  const options = {};
  for (const input of at("options").querySelectorAll("[data-option]")) {
    let value;
    try {
      value = JSON.parse(input.value);
    } catch {
      throw new Error(`${input.dataset.option}: ${input.value} is not a JSON value`);
    }
    options[input.dataset.option] = value;
  }
  return options;
}

async function deal(watch) {
  const seats = [...at("seats").querySelectorAll("select")].map((select) => select.value);
  if (watch && seats[0] === "human") seats[0] = chosen().agents.includes("greedy") ? "greedy" : "random";
  at("title").textContent = "Setting the table ...";
  try {
    const answer = await call("POST", "/api/sessions", { game: chosen().id, options: readOptions(), seats });
    await enter(answer.id);
  } finally {
    if (!key) at("title").textContent = "foodenvs";
  }
}

async function enter(id) {
  key = id;
  looking = viewer = null;
  paused = false;
  location.hash = id;
  at("rules").replaceChildren();
  await refresh();
  at("main").focus();
}

function leave() {
  key = state = null;
  clearTimeout(timer);
  history.replaceState(null, "", location.pathname);
  at("game-view").hidden = true;
  at("leave").hidden = true;
  at("setup").hidden = false;
  at("title").textContent = "foodenvs";
}

// --- a game

const path = (rest) => `/api/sessions/${key}${rest || ""}`;
const width = () => `narrow=${isNarrow() ? 1 : 0}`;

async function refresh() {
  const asked = [width()];
  if (viewer) asked.push(`viewer=${viewer}`);
  if (looking !== null) asked.push(`step=${looking}`);
  show(await call("GET", path(`?${asked.join("&")}`)));
}

function show(told) {
  state = told;
  live = told.steps;
  if (looking !== null && looking >= live) looking = null;
  at("setup").hidden = true;
  at("game-view").hidden = false;
  at("leave").hidden = false;
  at("title").textContent = told.title;
  document.title = told.title;
  const focused = document.activeElement;
  if (focused !== document.body) choseAt = ["table", "actions"].find((id) => at(id).contains(focused)) || null;
  drawTable(at("table"), told.frame, told.sprites, `${told.title}, the table`, told.legal, choose);
  at("told").textContent = told.last;
  at("result").textContent = told.over && told.step === told.steps ? resultLine(told) : "";
  at("turn").textContent = turnLine(told);
  at("actions").replaceChildren(...told.legal.map(actionButton));
  at("hint").disabled = !told.waits || looking !== null;
  at("undo").disabled = !told.undo || looking !== null;
  at("hint").hidden = at("undo").hidden = told.you === null;
  at("pause").hidden = !told.thinks;
  at("pause").textContent = paused ? "Go on" : "Pause";
  at("slider").max = told.steps;
  at("slider").value = told.step;
  at("count").textContent = `${told.step} of ${told.steps}`;
  at("back").disabled = told.step === 0;
  at("on").disabled = at("now").disabled = told.step === told.steps;
  at("viewer").replaceChildren(
    ...told.viewers.map((name) => new Option(name === "open" ? "open cards" : name === told.you ? `${name} (you)` : name, name)),
  );
  at("viewer").value = told.viewer;
  at("viewer").disabled = told.viewers.length < 2;
  at("save").disabled = at("save-page").disabled = !told.saving;
  at("save").title = at("save-page").title = told.saving ? "" : "when the game is over: a replay tells all secrets";
  at("text").textContent = told.text;
  drawThought(at("thought"), told.thought);
  showLog(told);
  if (choseAt && told.legal.length) {
    const next = (choseAt === "table" && at("table").querySelector(".choice")) || at("actions").querySelector("button");
    next.focus({ preventScroll: true });
  }
  clearTimeout(timer);
  if (told.thinks && !paused && looking === null) timer = setTimeout(advance, PACE);
}

function turnLine(told) {
  if (told.step !== told.steps) return "Looking back";
  if (told.over) return "The game is over";
  if (told.waits) return "Your turn";
  return told.thinks ? "The others play" : "Replay";
}

function resultLine(told) {
  const best = Math.max(...Object.values(told.result.returns));
  return Object.entries(told.result.scores)
    .map(([seat, points]) => `${seat}: ${points}${told.result.returns[seat] === best ? " (wins)" : ""}`)
    .join(", ");
}

function actionButton(name, index) {
  const button = make("button", { type: "button" });
  button.dataset.action = name;
  if (index < 9) button.append(make("kbd", {}, String(index + 1)));
  button.append(name);
  button.addEventListener("click", () => act(name));
  return make("li", {}, button);
}

function showLog(told) {
  const lines = told.log.map((line, index) => {
    const button = make("button", { type: "button" }, line);
    if (index + 1 === told.step) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => lookAt(index + 1));
    return make("li", {}, button);
  });
  at("log").replaceChildren(...lines);
  const current = at("log").querySelector("[aria-current]");
  if (current) at("log").scrollTop = current.parentElement.offsetTop - at("log").offsetTop - 80;
}

function choose(names) {
  if (names.length === 1) {
    act(names[0]);
    return;
  }
  at("menu-choices").replaceChildren(
    ...names.map((name) => {
      const button = make("button", { type: "button" }, name);
      button.addEventListener("click", () => {
        at("menu").close();
        act(name);
      });
      return button;
    }),
  );
  at("menu").showModal();
}

const act = (action) =>
  once(async () => {
    viewer = null;
    show(await call("POST", path(`/act?${width()}`), { action, step: live }));
  });

function advance() {
  guarded(async () => {
    if (!key || looking !== null) return;
    show(await call("POST", path(`/advance?${width()}`), { step: live }));
    if (viewer && viewer !== state.viewer) await refresh();
  });
}

const undo = () => once(async () => show(await call("POST", path(`/undo?${width()}`), {})));

const hint = () =>
  once(async () => {
    const { action } = await call("POST", path("/hint"), {});
    at("told").textContent = `Hint: greedy would play ${action}`;
    for (const button of at("actions").querySelectorAll("button")) {
      button.classList.toggle("hinted", button.dataset.action === action);
    }
    for (const part of at("table").querySelectorAll("[data-actions]")) {
      part.classList.toggle("hinted", part.dataset.actions.split("|").includes(action));
    }
  });

function lookAt(step) {
  const to = Math.max(0, Math.min(live, step));
  guarded(async () => {
    looking = to === live ? null : to;
    await refresh();
  });
}

function pause() {
  paused = !paused;
  show(state);
}

async function download(name) {
  const link = make("a", { href: path(`/${name}`), download: "" });
  document.body.append(link);
  link.click();
  link.remove();
}

async function showRules() {
  if (!at("rules-box").open || at("rules").firstChild || !state) return;
  const { html } = await call("GET", `/api/games/${state.game}/rules`);
  at("rules").innerHTML = html;
}

// --- what the player does

at("game").addEventListener("change", showForm);
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  once(() => deal(false));
});
at("watch").addEventListener("click", () => once(() => deal(true)));
at("file").addEventListener("change", (event) =>
  guarded(async () => {
    const file = event.target.files[0];
    event.target.value = "";
    if (file) await enter((await call("POST", "/api/replays", await file.text())).id);
  }),
);
at("leave").addEventListener("click", () =>
  guarded(async () => {
    await call("DELETE", path());
    leave();
  }),
);
at("hint").addEventListener("click", hint);
at("undo").addEventListener("click", undo);
at("pause").addEventListener("click", pause);
at("back").addEventListener("click", () => lookAt(state.step - 1));
at("on").addEventListener("click", () => lookAt(state.step + 1));
at("now").addEventListener("click", () => lookAt(live));
at("slider").addEventListener("change", (event) => lookAt(Number(event.target.value)));
at("viewer").addEventListener("change", (event) =>
  guarded(async () => {
    viewer = event.target.value;
    await refresh();
  }),
);
at("save").addEventListener("click", () => download("replay.json"));
at("save-page").addEventListener("click", () => download("replay.html"));
at("menu-cancel").addEventListener("click", () => at("menu").close());
at("rules-box").addEventListener("toggle", () => guarded(showRules));

document.addEventListener("keydown", (event) => {
  if (!state || event.ctrlKey || event.altKey || event.metaKey || at("menu").open) return;
  if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
  const number = Number(event.key);
  if (number >= 1 && number <= state.legal.length) act(state.legal[number - 1]);
  if (event.key === "h" && !at("hint").disabled) hint();
  if (event.key === "u" && !at("undo").disabled) undo();
  if (event.key === "p" && state.thinks) pause();
  if (event.key === "[") lookAt(state.step - 1);
  if (event.key === "]") lookAt(state.step + 1);
});

let wasNarrow = isNarrow();
window.addEventListener("resize", () => {
  if (state && isNarrow() !== wasNarrow) guarded(refresh);
  wasNarrow = isNarrow();
});
window.addEventListener("hashchange", () => start());

async function start() {
  await guarded(async () => {
    const asked = location.hash.slice(1);
    if (asked && asked === key) return;
    if (!games.length) {
      games = await call("GET", "/api/games");
      at("game").replaceChildren(...games.map((game) => new Option(game.title, game.id)));
      showForm();
    }
    if (asked) await enter(asked);
    else if (!key) leave();
  });
}
start();
