// A workload: bars between its bounds, and its Pods.
function bar(name, count, bound, w, most, words, out) {
  const at = (n) => (100 * n) / most + "%";
  const posts = w.bounded ? [w.least, w.replicas, w.most] : [w.replicas];
  return h(
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
}
function rollout(s) {
  const w = s["work" + me.work];
  const pick =
    lesson.workloads.length < 2
      ? h("h2", {}, lesson.workloads[0])
      : h(
          "select",
          {
            "aria-label": "workload",
            onchange: (e) => {
              me.work = Number(e.target.value);
              draw();
            },
          },
          lesson.workloads.map((name, i) => h("option", { value: i, selected: i === me.work }, name)),
        );
  if (!w) return h("div", {}, pick, h("p", { class: "dim" }, "It does not exist at this time."));
  const isJob = lesson.workloads[me.work].startsWith("job/"),
    most = Math.max(w.bounded ? w.most : w.replicas, w.pods, 1),
    bars = [];
  if (!isJob) {
    const open = asked(),
      vs = (count, sign, bound, word) => (open ? String(count) : count + " " + sign + " " + bound + " " + word);
    const posts =
      w.bounded && !open
        ? [
            [w.least, "least"],
            [w.most, "most"],
          ]
        : [[w.replicas, "wanted"]];
    bars.push(
      h(
        "div",
        { class: "posts" },
        h("span"),
        h(
          "div",
          { class: "track" },
          posts.map(([n, word]) => h("span", { style: { left: (100 * n) / most + "%" } }, n + " " + word)),
        ),
        h("span"),
      ),
    );
    const v = open ? Object.assign({}, w, { bounded: false }) : w;
    bars.push(
      bar(
        "available",
        w.available,
        v.bounded ? w.least : w.replicas,
        v,
        most,
        v.bounded ? vs(w.available, w.available < w.least ? "<" : "≥", w.least, "least") : w.available + " of " + w.replicas,
        v.bounded && w.available < w.least,
      ),
    );
    bars.push(
      bar(
        "pods",
        w.pods,
        v.bounded ? w.most : w.replicas,
        v,
        most,
        v.bounded ? vs(w.pods, w.pods > w.most ? ">" : "≤", w.most, "most") : w.pods + " of " + w.replicas,
        v.bounded && w.pods > w.most,
      ),
    );
    if (w.bounded) bars.push(bar("updated", w.updated, w.replicas, v, most, w.updated + " of " + w.replicas));
  }
  const used = new Set();
  const groups = w.groups.map((g) =>
    h(
      "div",
      { class: "group" },
      h("h3", {}, (g.image ? g.image + " " : "") + g.name + ": " + g.spec + " wanted, " + g.ready + " ready"),
      h(
        "div",
        { class: "cells", role: "img", "aria-label": tally(g.cells) },
        [...g.cells].map((c, i) => {
          used.add(c);
          return h(
            "span",
            { class: "pod " + c, title: phase[c].word },
            phase[c].glyph,
            g.places ? h("small", {}, g.places[i]) : null,
          );
        }),
      ),
    ),
  );
  const legend = h(
    "div",
    { class: "legend" },
    [...used].map((c) => h("span", {}, phase[c].glyph + " " + phase[c].word)),
  );
  const states = (w.conditions || []).map(([type, status, reason]) =>
    h("div", { class: "dim" }, type + " " + status + " " + reason),
  );
  return h("div", {}, pick, h("div", { class: "dim" }, w.about), bars, groups, legend, h("div", { class: "legend" }, states));
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
