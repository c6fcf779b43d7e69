// A workload: bars between its bounds, and its Pods. Two are beside each other, on one scale, where a lesson says so, or where the
// reader compares this run with another.
function rollouts(s) {
  const here = (i) => ({ title: lesson.workloads[i], name: lesson.workloads[i], r: s["rollout" + i] });
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
  return { title: other.there, name: other.lesson.workloads[i] || "", r: state["rollout" + i], now: state["now" + i] };
}

function columns(shown, above) {
  const most = Math.max(...shown.map(({ r }) => (r && r.widest) || 1));
  const column = (of) =>
    h(
      "div",
      {},
      h("h2", {}, of.title),
      workload(of, most),
      of.now && !asked() ? h("p", {}, h("span", { class: "dim" }, say("now:") + " "), of.now) : null,
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
  return h("select", { "aria-label": say("workload"), onchange: choose }, options);
}

function workload({ r }, most) {
  if (!r || r.absent) return h("p", { class: "dim" }, r ? r.absent : say("It does not exist in this run."));
  const pod = (c, place) => h("span", { class: "pod " + c, title: phase[c].word }, phase[c].glyph, place ? h("small", {}, place) : null);
  const groups = (r.groups || []).map((g) =>
    h(
      "div",
      { class: "group" },
      h("h3", {}, [g.image, g.name].filter(Boolean).join(" ") + ": " + g.says),
      h(
        "div",
        { class: "cells", role: "img", "aria-label": tally(g.pods) },
        [...g.pods].map((c, n) => pod(c, g.places && g.places[n])),
      ),
    ),
  );
  return h(
    "div",
    {},
    h("div", { class: "dim" }, (r.about || []).concat(r.behind || []).join(" · ")),
    bars(r, most || r.widest),
    groups,
    r.older ? h("div", { class: "dim" }, say("and {older} older ones with 0 Pods", r)) : null,
    r.timer ? h("div", { class: "tone-pending" }, r.timer) : null,
    h(
      "div",
      { class: "legend" },
      [...(r.seen || "")].map((c) => h("span", {}, phase[c].glyph + " " + phase[c].word)),
    ),
    h(
      "div",
      { class: "legend" },
      (r.conditions || []).map((c) => h("div", {}, [c.type, c.status, c.reason].filter(Boolean).join(" "))),
    ),
  );
}

// Bars between posts. The bars of a Job have a post each.
function bars(r, most) {
  const at = (n) => (100 * n) / most + "%";
  const posts = r.posts || [];
  const labels = posts.filter((p) => p.word);
  const bar = (b) =>
    h(
      "div",
      { class: "bar tone-" + b.tone },
      h("span", {}, b.name),
      h(
        "div",
        { class: "track" },
        h("div", { class: "fill", style: { width: at(b.count) } }),
        (posts.length || b.bound < 0 ? posts : [{ pods: b.bound }]).map((p) =>
          h("i", { class: "post" + (p.pods === b.bound ? "" : " faint"), style: { left: at(p.pods) } }),
        ),
      ),
      h("span", {}, b.words),
    );
  const label = (p) => h("span", { style: { left: at(p.pods) } }, p.pods + " " + p.word);
  return [h("div", { class: "posts" }, h("span"), h("div", { class: "track" }, labels.map(label)), h("span")), ...(r.bars || []).map(bar)];
}

const glyphs = (pods) => [...pods].map((c) => phase[c].glyph).join("");
const tally = (pods) => {
  const count = {};
  for (const c of pods) count[c] = (count[c] || 0) + 1;
  return (
    Object.entries(count)
      .map(([c, n]) => n + " " + phase[c].word)
      .join(", ") || say("no Pods")
  );
};
