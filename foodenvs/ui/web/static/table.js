"use strict";
// Draws a table: a frame (sizes and placed sprites) into an SVG whose parts can be chosen.

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

// host: where to draw. frame: {width, height, ground, items: [key, x, y, width, height, label, actions]}.
// legal: names of actions that may be chosen; choose(names, part): called with those a part stands for.
function drawTable(host, frame, sprites, title, legal, choose) {
  const svg = element("svg", {
    viewBox: `0 0 ${frame.width} ${frame.height}`, role: "group", "aria-label": title, class: "table",
  });
  element("rect", { width: frame.width, height: frame.height, fill: frame.ground || "#e9e2d3" }, svg);
  for (const [key, x, y, width, height, label, actions] of frame.items) {
    const part = element("g", { transform: `translate(${x} ${y})` }, svg);
    part.innerHTML = sprites[key];
    const possible = (actions || []).filter((name) => legal && legal.includes(name));
    if (possible.length) {
      part.setAttribute("class", "choice");
      part.setAttribute("role", "button");
      part.setAttribute("tabindex", "0");
      part.setAttribute("data-actions", possible.join("|"));
      part.setAttribute("aria-label", `${label}: ${possible.join(", ")}`);
      element("rect", { x: -3, y: -3, width: width + 6, height: height + 6, rx: 8, class: "glow" }, part);
      part.addEventListener("click", () => choose(possible, part));
      part.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          choose(possible, part);
        }
      });
    } else if (label) {
      part.setAttribute("role", "img");
      part.setAttribute("aria-label", label);
    }
  }
  host.replaceChildren(svg);
  return svg;
}

// A list of action probabilities as bars.
function drawThought(host, thought) {
  host.replaceChildren();
  const rows = Object.entries(thought || {}).sort((a, b) => b[1] - a[1]);
  for (const [name, share] of rows) {
    const row = document.createElement("li");
    const bar = document.createElement("meter");
    bar.value = share;
    bar.setAttribute("aria-hidden", "true");
    row.append(bar, ` ${(100 * share).toFixed(1)} % ${name}`);
    host.append(row);
  }
  host.parentElement.hidden = rows.length === 0;
}

function isNarrow() {
  return window.matchMedia("(max-width: 700px)").matches;
}
