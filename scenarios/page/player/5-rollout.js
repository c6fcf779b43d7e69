// A workload: bars between its bounds, and its Pods. Two of them are beside each other where a lesson says so.
function rollouts(s) {
  const pair = direction().works || [];
  if (pair.length === 2 && pair.includes(me.work)) {
    return h(
      "div",
      { class: "pair" },
      pair.map((i) => h("div", {}, h("h2", {}, lesson.workloads[i]), workload(i, s["work" + i]))),
    );
  }
  return h("div", {}, picker(), workload(me.work, s["work" + me.work]));
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

function workload(i, w) {
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
      h("h3", {}, (g.image ? g.image + " " : "") + g.name + ": " + g.spec + " wanted, " + g.ready + " ready"),
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
    lesson.workloads[i].startsWith("job/") ? null : bars(w),
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

// The bounds are what many questions ask for: they are hidden while one is open.
function bars(w) {
  const bounded = w.bounded && !asked();
  const most = Math.max(w.bounded ? w.most : w.replicas, w.pods, 1);
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
