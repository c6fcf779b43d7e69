// A message on its way over the stage: a line between its two ends, and a dot that travels along it.
// The namespace of SVG is what a parser of HTML gives to such an element: the page itself names no address.
const svgSpace = new DOMParser().parseFromString("<svg>", "text/html").body.firstChild.namespaceURI;
const svg = (tag, attributes, ...children) => {
  const e = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
};
const still = matchMedia("(prefers-reduced-motion: reduce)");
// How long a message travels at most, in milliseconds, and the shortest beat in which one travels at all.
const flightTime = 900,
  shortest = 120;

// The end of a message at an element: the middle of the side that faces the other one.
function end(box, other, frame) {
  const right = other.left + other.width / 2 > box.left + box.width / 2;
  return { x: (right ? box.right : box.left) - frame.left, y: box.top + Math.min(box.height / 2, 26) - frame.top, right };
}

// A message can be pointed at, like a card.
const touched = (n) => ({ role: "button", tabindex: "0", "aria-pressed": String(looks("move", n)), "aria-label": say("the message") });

function travel(stageElement, b) {
  const moves = b.moves || [];
  if (!stageElement || !moves.length) return;
  const frame = stageElement.getBoundingClientRect(),
    layer = svg("svg", { class: "travel", width: frame.width, height: frame.height});
  const at = (name) => stageElement.querySelector('[data-thing="' + name + '"]');
  moves.forEach((m, n) => {
    const store = at("thing" + m.about) || stageElement.querySelector(".store h2"),
      seat = m.node ? at("machine" + lesson.machines.indexOf(m.node)) : null,
      program = seat || at("player" + m.program);
    if (!program || !store) return;
    const here = program.getBoundingClientRect(),
      there = store.getBoundingClientRect();
    const from = end(here, there, frame),
      to = end(there, here, frame),
      bend = Math.max(30, Math.abs(to.x - from.x) / 2);
    const path = "M" + from.x + " " + from.y + "C" + (from.x + (from.right ? bend : -bend)) + " " + from.y + " " + (to.x + (to.right ? bend : -bend)) + " " + to.y + " " + to.x + " " + to.y;
    const event = m.way === "watch",
      group = svg("g", { ...touched(n), class: "move tone-" + (m.tone || "now") + (event ? " event" : "") + (m.end ? " " + m.end : "") });
    const line = svg("path", { d: path }),
      dot = svg("circle", { r: 7 }),
      label = svg("text", {}, (m.actor && !m.node ? m.actor + ": " : "") + m.label + (m.end === "refused" ? " ✕" : m.end === "held" ? " ‖" : ""));
    group.append(line, dot, label);
    group.addEventListener("click", lookAt("move", n));
    group.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" && e.key !== " ") return;
      e.preventDefault();
      e.stopPropagation();
      lookAt("move", n)();
    });
    layer.append(group);
    stageElement.append(layer);
    const length = line.getTotalLength(),
      middle = line.getPointAtLength(length / 2);
    label.setAttribute("x", middle.x);
    label.setAttribute("y", middle.y - 10);
    // Where it stays at the end of its way: a refused request comes back, a held one hangs.
    const stops = event ? [1, 0] : m.end === "refused" || m.end === "denied" ? [0, 1, 0] : m.end === "held" ? [0, 0.5] : [0, 1];
    const place = (part) => {
      const p = line.getPointAtLength(length * part);
      return "translate(" + p.x + "px," + p.y + "px)";
    };
    const ms = me.playing ? Math.min(flightTime, (0.75 * b.ms) / speeds[me.speed]) : 600;
    dot.style.transform = place(stops[stops.length - 1]);
    if (still.matches || ms < shortest) return;
    const frames = [];
    for (let leg = 1; leg < stops.length; leg++)
      for (let n = 0; n <= 8; n++) frames.push({ transform: place(stops[leg - 1] + ((stops[leg] - stops[leg - 1]) * n) / 8) });
    dot.animate(frames, { duration: ms, easing: "ease-in-out" });
  });
}
