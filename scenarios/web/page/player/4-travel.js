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

// The end of a message at an element: the middle of the side that faces the other one. dx and dy are the direction in which it leaves.
function end(box, other, frame) {
  const right = other.left + other.width / 2 > box.left + box.width / 2;
  return { x: (right ? box.right : box.left) - frame.left, y: box.top + Math.min(box.height / 2, 26) - frame.top, dx: right ? 1 : -1, dy: 0 };
}

// The same for elements that stand one below the other, as on the screen of a phone.
function endBelow(box, other, frame) {
  const below = other.top > box.top;
  return { x: box.left + box.width / 2 - frame.left, y: (below ? box.bottom : box.top) - frame.top, dx: 0, dy: below ? 1 : -1 };
}

const isStacked = (here, there) => here.left < there.right && there.left < here.right;

// The two ends of a message, and the curve between them.
function way(here, there, frame) {
  const stacked = isStacked(here, there),
    side = stacked ? endBelow : end,
    from = side(here, there, frame),
    to = side(there, here, frame),
    bend = stacked ? Math.abs(to.y - from.y) / 2 : Math.max(30, Math.abs(to.x - from.x) / 2),
    corner = (p) => p.x + p.dx * bend + " " + (p.y + p.dy * bend);
  return "M" + from.x + " " + from.y + "C" + corner(from) + " " + corner(to) + " " + to.x + " " + to.y;
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
    const event = m.way === "watch",
      group = svg("g", { ...touched(n), class: "move tone-" + (m.tone || "now") + (event ? " event" : "") + (m.end ? " " + m.end : "") });
    const line = svg("path", { d: way(here, there, frame) }),
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
    // Above a line that goes sideways, and beside one that goes down.
    const half = label.getComputedTextLength() / 2,
      beside = isStacked(here, there);
    label.setAttribute("x", Math.max(half, Math.min(middle.x + (beside ? half + 12 : 0), frame.width - half)));
    label.setAttribute("y", middle.y + (beside ? 5 : -10));
    // Where it stays at the end of its way: a refused request comes back, a held one hangs.
    const stops = event && m.end === "held" ? [1, 0.5] : event ? [1, 0] : m.end === "refused" || m.end === "denied" ? [0, 1, 0] : m.end === "held" ? [0, 0.5] : [0, 1];
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
