// A workload: bars between its bounds, and its Pods. Two are beside each other, on one scale, where a lesson says so, or where the
// reader compares this run with another.
function rollouts(s) {
  const here = (i) => ({ title: lesson.workloads[i], name: lesson.workloads[i], w: s["work" + i] });
  const pair = direction().works || [];
  if (me.beside) return columns([{ ...here(me.work), title: me.beside.here, now: s["now" + me.work] }, there()], picker());
  if (pair.length === 2 && pair.includes(me.work)) return columns(pair.map(here));
  return h("div", {}, picker(), workload(here(me.work)));
}

// The other run at the same virtual time: its workload of the same name, or else its first.
function there() {
  const other = me.beside,
    i = Math.max(0, other.lesson.workloads.indexOf(lesson.workloads[me.work]));
  let to = -1;
  while (to + 1 < other.states.length && other.lesson.beats[to + 1].t <= beats[me.at].t) to++;
  const state = other.states[to] || {};
  return { title: other.there, name: other.lesson.workloads[i] || "", w: state["work" + i], now: state["now" + i] };
}

function columns(shown, above) {
  const most = Math.max(...shown.map(({ w }) => (w ? widest(w) : 1)));
  const column = (of) =>
    h(
      "div",
      {},
      h("h2", {}, of.title),
      workload(of, most),
      of.now && !asked() ? h("p", {}, h("span", { class: "dim" }, "now: "), of.now) : null,
    );
  return h("div", {}, above, h("div", { class: "pair" }, shown.map(column)));
}

function picker() {
  if (lesson.workloads.length < 2) return h("h2", {}, lesson.workloads[0]);
  const choose = (e) => {
    me.work = Number(e.target.value);
    draw();
  };
  const options = lesson.workloads.map((name, i) => h("option", { value: i, selected: i === me.work }, name));
  return h("select", { "aria-label": "workload", onchange: choose }, options);
}

function workload({ name, w }, most) {
  if (!w) return h("p", { class: "dim" }, "It does not exist at this time.");
  const used = new Set();
  const pod = (c, place) => {
    used.add(c);
    return h("span", { class: "pod " + c, title: phase[c].word }, phase[c].glyph, place ? h("small", {}, place) : null);
  };
  const groups = w.groups.map((g) =>
    h(
      "div",
      { class: "group" },
      h("h3", {}, (g.image ? g.image + " " : "") + g.name + ": " + g.spec + " wanted, " + g.ready + " ready in its status"),
      h(
        "div",
        { class: "cells", role: "img", "aria-label": tally(g.cells) },
        [...g.cells].map((c, n) => pod(c, g.places && g.places[n])),
      ),
    ),
  );
  return h(
    "div",
    {},
    h("div", { class: "dim" }, w.about),
    name.startsWith("job/") ? null : bars(w, most || widest(w)),
    groups,
    h(
      "div",
      { class: "legend" },
      [...used].map((c) => h("span", {}, phase[c].glyph + " " + phase[c].word)),
    ),
    h(
      "div",
      { class: "legend" },
      (w.conditions || []).map((c) => h("div", {}, c.join(" "))),
    ),
  );
}

// widest is how many Pods the bars of a workload must have room for.
const widest = (w) => Math.max(w.bounded ? w.most : w.replicas, w.pods, 1);

// The bounds are what many questions ask for: they are hidden while one is open.
function bars(w, most) {
  const bounded = w.bounded && !asked();
  const at = (n) => (100 * n) / most + "%";
  const posts = bounded ? [w.least, w.replicas, w.most] : [w.replicas];
  const labels = bounded
    ? [
        [w.least, "least"],
        [w.most, "most"],
      ]
    : [[w.replicas, "wanted"]];
  const bar = (name, count, bound, words, out) =>
    h(
      "div",
      { class: "bar " + name + (out ? " out" : "") },
      h("span", {}, name),
      h(
        "div",
        { class: "track" },
        h("div", { class: "fill", style: { width: at(count) } }),
        posts.map((p) => h("i", { class: "post" + (p === bound ? "" : " faint"), style: { left: at(p) } })),
      ),
      h("span", {}, words),
    );
  const of = (count) => count + " of " + w.replicas;
  const label = ([n, word]) => h("span", { style: { left: at(n) } }, n + " " + word);
  const scale = h("div", { class: "posts" }, h("span"), h("div", { class: "track" }, labels.map(label)), h("span"));
  if (!bounded) {
    const counts = [
      ["available", w.available],
      ["pods", w.pods],
    ].concat(w.bounded ? [["updated", w.updated]] : []);
    return [scale, ...counts.map(([name, count]) => bar(name, count, w.replicas, of(count)))];
  }
  const few = w.available < w.least,
    many = w.pods > w.most;
  return [
    scale,
    bar("available", w.available, w.least, w.available + (few ? " < " : " ≥ ") + w.least + " least", few),
    bar("pods", w.pods, w.most, w.pods + (many ? " > " : " ≤ ") + w.most + " most", many),
    bar("updated", w.updated, w.replicas, of(w.updated)),
  ];
}

const tally = (cells) => {
  const count = {};
  for (const c of cells) count[c] = (count[c] || 0) + 1;
  return (
    Object.entries(count)
      .map(([c, n]) => n + " " + phase[c].word)
      .join(", ") || "no Pods"
  );
};
