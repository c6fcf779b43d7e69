// The cluster as things: programs at the left, the objects in the store in the middle, nodes at the right, and what travels between
// them. Whoever draws it is asked for nothing but what the recording says.
// Only the last beats that made a thing so are listed.
const mostMade = 6;
const lookedAt = { kind: "", index: -1 };
const tone = (t) => (t ? "tone-" + t : "");
const lookAt = (kind, index) => () => {
  const same = lookedAt.kind === kind && lookedAt.index === index;
  lookedAt.kind = same ? "" : kind;
  lookedAt.index = index;
  draw();
  showDetails();
};
// What is said of a thing is below the stage: it must be seen above the controls.
const showDetails = () => {
  const panel = grid.querySelector(".details");
  if (!panel) return;
  panel.style.scrollMarginBottom = app.querySelector(".controls").offsetHeight + 8 + "px";
  panel.scrollIntoView({ block: "nearest", behavior: "instant" });
};
const looks = (kind, index) => lookedAt.kind === kind && lookedAt.index === index;
const calledOf = (i) => lesson.cast[i].kind + " " + lesson.cast[i].name;
const isLit = (i) => (beats[me.at].lit || []).includes(i);
const version = (i) => (lesson.cast[i].version ? " version-" + (((lesson.cast[i].version - 1) % 3) + 1) : "");

// A card is a button: what it is about is shown below the stage.
const thingButton = (kind, index, attributes, ...children) =>
  h(
    "button",
    { ...attributes, class: attributes.class + marked(kind, index), "data-thing": kind + index, "aria-pressed": String(looks(kind, index)), onclick: lookAt(kind, index) },
    ...children,
  );

function actor(s, i) {
  const p = s["player" + i];
  return thingButton(
    "player",
    i,
    { class: "program " + tone(p.tone) + (p.acts ? " acts" : "") + (p.focused ? " focused" : p.aside ? " aside" : "") },
    h("b", {}, (p.mark === "●" ? "" : p.mark + " ") + p.name),
    p.about ? h("small", {}, p.about) : null,
    p.queue
      ? h(
          "span",
          { class: "chips" },
          p.queue.map((chip) =>
            h(
              "span",
              { class: "chip " + chip.state.replace(" ", "-"), title: [chip.state, chip.when].filter(Boolean).join(" ") },
              chip.key,
              chip.retries ? h("small", {}, " ×" + chip.retries) : null,
              chip.when ? h("small", {}, " " + chip.when) : null,
            ),
          ),
        )
      : null,
    p.last ? h("small", {}, p.last) : null,
    p.cache ? h("small", { class: "tone-pending" }, say("cache: {cache}", p)) : null,
    p.decided ? h("small", { class: "decided", title: p.decided }, p.decided) : null,
  );
}

// A Pod is a small box: the number of the Pod, and how far it is. On a node, its version is part of the name.
function podBox(s, i, place) {
  const thing = s["thing" + i],
    of = lesson.cast[i],
    p = phase[thing.phase];
  return thingButton(
    place,
    i,
    {
      class: "podbox " + thing.phase + version(i) + (isLit(i) ? " lit" : ""),
      title: calledOf(i) + ": " + p.word + (thing.says ? ", " + thing.says : ""),
      "aria-label": calledOf(i) + ": " + p.word,
    },
    h("span", {}, place === "seat" || thing.owner < 0 ? of.name : of.short),
    h("span", { class: "glyph" }, p.glyph),
    thing.says && place !== "seat" ? h("small", { class: tone(thing.tone) }, thing.says) : null,
  );
}

// An object with what it owns below it: the Pods beside each other, everything else as trees.
function tree(s, i, owned) {
  const thing = s["thing" + i],
    of = lesson.cast[i],
    kids = owned[i] || [],
    pods = kids.filter((k) => lesson.cast[k].kind === "Pod"),
    rest = kids.filter((k) => lesson.cast[k].kind !== "Pod");
  return h(
    "li",
    { class: version(i).trim() },
    thingButton(
      "thing",
      i,
      { class: "object " + (isLit(i) ? "lit" : "") + (thing.focused ? " focused" : ""), title: of.full || of.name },
      h("b", {}, of.kind + " " + of.name),
      thing.says ? h("small", { class: tone(thing.tone) }, thing.says) : null,
    ),
    pods.length ? h("div", { class: "podrow" }, pods.map((k) => podBox(s, k, "thing"))) : null,
    rest.length ? h("ul", {}, rest.map((k) => tree(s, k, owned))) : null,
  );
}

// What kube-scheduler thinks of a node, in one word.
function opinion(name) {
  const row = (attempt() || { rows: [] }).rows.find((r) => r.node === name);
  if (!row) return null;
  const text = row.chosen ? "✓ " + say("chosen") : row.nominated ? say("makes room") : row.rejected ? "✗ " + row.reason : "";
  return h("small", { class: "opinion " + (row.chosen ? "tone-ready" : row.rejected ? "tone-failed" : "") }, [text, row.total ? say("score {total}", row) : ""].filter(Boolean).join(" · "));
}
const attempt = () => (asked() ? null : beats[me.at].attempt);

// An attempt of kube-scheduler: a row for each node, a column for each plugin whose scores differ.
function attempted() {
  const a = attempt();
  if (!a) return null;
  const plugins = a.plugins || [];
  return h(
    "div",
    { class: "attempt" },
    table(
      [say("which node for {pod}", a), ...plugins, a.same ? say("all others") : "", say("score")].filter(Boolean),
      a.rows.map((r) =>
        h(
          "tr",
          { class: r.chosen ? "chosen" : r.rejected ? "dim" : "" },
          h("th", { scope: "row" }, (r.chosen ? "✓ " : r.rejected ? "✗ " : "") + r.node),
          r.rejected
            ? h("td", { colspan: plugins.length + (a.same ? 2 : 1) }, r.rejected + ": " + r.reason)
            : [...plugins.map((_, n) => h("td", {}, String((r.scores || [])[n]))), a.same ? h("td", {}, String(a.same)) : null, h("td", {}, r.total ? String(r.total) : say("the only one left"))],
        ),
      ),
    ),
    a.more ? h("p", { class: "dim" }, say("and {more} more nodes", a)) : null,
  );
}

function machine(s, i, seated) {
  const n = s["machine" + i];
  return h(
    "section",
    {
      class: "node" + (n.focused ? " focused" : "") + marked("machine", i) + (looks("machine", i) ? " looked" : ""),
      "aria-label": say("node {name}", n),
      "data-thing": "machine" + i,
      onclick: (e) => e.target.closest("button") || lookAt("machine", i)(),
    },
    h("h3", {}, h("button", { class: "link", "aria-pressed": String(looks("machine", i)), onclick: lookAt("machine", i) }, n.name), n.zone ? h("small", {}, say("zone {zone}", n)) : null),
    n.state ? h("small", { class: tone(n.tone) }, n.state) : null,
    opinion(n.name),
    (n.taints || []).map((t) => h("small", { class: "taint", title: say("taint") }, say("taint {taint}", { taint: t }))),
    h("div", { class: "podrow" }, (seated[n.name] || []).map((k) => podBox(s, k, "seat"))),
    (n.meters || []).map((m) =>
      h(
        "div",
        { class: "meter", title: say("{resource} requested: {words}", m) },
        h("small", {}, m.resource),
        h("span", { class: "track" }, h("span", { class: "fill" + (m.share >= 100 ? " full" : ""), style: { width: m.share + "%" } })),
        h("small", {}, m.words),
      ),
    ),
  );
}

function clusterStage(s) {
  const owned = {},
    seated = {},
    roots = [];
  lesson.cast.forEach((of, i) => {
    const thing = s["thing" + i];
    if (!thing) return;
    if (thing.owner >= 0) (owned[thing.owner] = owned[thing.owner] || []).push(i);
    else roots.push(i);
    if (thing.node) (seated[thing.node] = seated[thing.node] || []).push(i);
  });
  const loose = roots.filter((i) => lesson.cast[i].kind === "Pod"),
    trees = roots.filter((i) => lesson.cast[i].kind !== "Pod");
  const nodes = lesson.machines.map((_, i) => i).filter((i) => s["machine" + i]);
  return h(
    "div",
    { class: "cluster" },
    h("section", { class: "programs", "aria-label": say("programs") }, h("h2", {}, say("Programs")), lesson.players.map((_, i) => actor(s, i))),
    h(
      "section",
      { class: "store", "aria-label": say("objects in the store") },
      h("h2", {}, say("API server and store")),
      h("ul", { class: "forest" }, trees.map((i) => tree(s, i, owned))),
      loose.length ? h("div", { class: "podrow" }, loose.map((i) => podBox(s, i, "thing"))) : null,
      roots.length ? null : h("p", { class: "dim" }, say("Nothing is stored yet.")),
    ),
    nodes.length
      ? h("section", { class: "machines", "aria-label": say("nodes") }, h("h2", {}, say("Nodes")), nodes.map((i) => machine(s, i, seated)))
      : null,
  );
}

// The bounds of a rollout as a strip below the stage.
function strip(s) {
  const r = hasWork && s["rollout" + me.work];
  return r && !r.absent && r.bars && r.bars.length ? h("div", { class: "strip" }, bars(r, r.widest)) : null;
}

// What happens, in a sentence that the last row can read, and why.
function caption(s, b) {
  const c = b.caption;
  if (tells(b) || !c) return null;
  const now = hasWork && !asked() ? s["now" + me.work] : "";
  return h(
    "section",
    { class: "caption" + (b.failed ? " failed" : ""), "aria-label": say("now") },
    h("p", { class: "says" }, c.text),
    h("p", { class: "dim" }, c.why || now),
  );
}

// What the reader points at: what it is, which records made it so, and what would be otherwise.
const pointed = {
  player: (s, i) => {
    const p = s["player" + i];
    return {
      name: lesson.players[i],
      about: p && [p.about, p.decided, p.cache ? say("its cache: {cache}", p) : ""],
      made: say("What it did last"),
      makes: (b) => b.actor === lesson.players[i],
    };
  },
  thing: (s, i) => {
    const t = s["thing" + i];
    return {
      name: calledOf(i),
      about: t && [lesson.cast[i].full, t.phase ? phase[t.phase].word : "", t.says, t.node ? say("on {node}", t) : ""],
      made: say("What made it so"),
      makes: (b) => (b.lit || []).includes(i),
    };
  },
  machine: (s, i) => {
    const n = s["machine" + i];
    return {
      name: say("Node {name}", { name: lesson.machines[i] }),
      about: n && [n.zone ? say("zone {zone}", n) : "", n.state, ...(n.taints || []).map((t) => say("taint {taint}", { taint: t })), ...(n.meters || []).map((m) => m.resource + " " + m.words)],
      made: say("What its kubelet said last"),
      makes: (b) => (b.moves || []).some((m) => m.node === lesson.machines[i]),
    };
  },
  move: (s, i) => {
    const b = beats[me.at],
      m = (b.moves || [])[i];
    return { name: say("The message {label}", { label: m ? m.label : "" }), about: m && b.caption && [b.caption.text, b.caption.why], offers: m ? offersOfMove(m) : [] };
  },
  branches: () => ({ name: branchTexts.alone, about: [branchTexts.choose], offers: branches }),
};
pointed.seat = pointed.thing;
function details(s) {
  const { kind, index } = lookedAt;
  if (!kind) return null;
  // A message is there for one beat.
  if (kind === "move" && !(beats[me.at].moves || [])[index]) return null;
  const it = pointed[kind](s, index),
    made = [];
  for (let i = me.at; it.makes && i >= 0 && made.length < mostMade; i--) if (it.makes(beats[i]) && beats[i].caption) made.push(i);
  const about = it.about ? it.about.filter(Boolean).join(" · ") : say("It does not exist at this time.");
  return h(
    "section",
    { class: "panel details", "aria-label": it.name },
    h("h2", {}, it.name, " ", h("button", { class: "small", onclick: lookAt(kind, index), "aria-label": say("close") }, "✕")),
    h("p", { class: it.about ? "" : "dim" }, about),
    lookers(s, kind, index),
    offered(it.offers || offersOf(kind, index), kind + index),
    made.length ? h("h3", {}, it.made) : null,
    h(
      "ol",
      { class: "made" },
      made.map((i) =>
        h("li", {}, h("button", { class: "link", onclick: () => student || go(i) }, time(beats[i].t)), " " + beats[i].caption.text + (beats[i].caption.why ? ": " + beats[i].caption.why : "")),
      ),
    ),
  );
}

// The focus of a lesson is a camera: the cards that it is about grow, the others shrink, and each moves to its new place.
const cameraTime = 450;
const cards = (root) => [...root.querySelectorAll(".program, .node, .object")];
let framed = "";
function camera() {
  const before = new Map(cards(grid).map((card) => [card.dataset.thing, card.getBoundingClientRect()]));
  return () => {
    const now = cards(grid),
      focus = now.filter((card) => card.matches(".focused")).map((card) => card.dataset.thing).join();
    const turns = framed !== focus;
    framed = focus;
    if (!turns || !before.size || still.matches) return;
    for (const card of now) {
      const from = before.get(card.dataset.thing),
        to = card.getBoundingClientRect();
      if (!from || !from.width || !to.width) continue;
      // Both directions have one scale: texts would be out of shape on their way.
      const start = "translate(" + (from.left - to.left) + "px," + (from.top - to.top) + "px) scale(" + from.width / to.width + ")";
      card.animate([{ transform: start, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], { duration: cameraTime, easing: "ease-out" });
    }
  };
}
