// The runs of this tab, in a table on one scale: what ends when, how few were available, how many there were.
import { h } from "player";
import { judged } from "./run.js";

// mostRuns is how many recordings are kept; each takes some megabytes.
export const mostRuns = 12;

// runs is the table. show is called with a run to show, beside with one to compare with the one that is shown, or null.
export function runs(host, { show, beside, workload }) {
  const list = [];
  let shown = null,
    other = null;
  const table = h("table", { class: "runs" });
  const legend = h(
    "span",
    { class: "dim legend" },
    h("i", { class: "area" }),
    "available ",
    h("i", { class: "line" }),
    "Pods, on one scale",
  );
  host.append(h("h2", {}, "Runs", legend), table);
  const draw = () => {
    host.hidden = !list.length;
    const scale = scaleOf(list, workload());
    const head = ["Run", "ends at", "least available", "most Pods", ""].map((text) => h("th", { scope: "col" }, text));
    table.replaceChildren(
      h("thead", {}, h("tr", {}, head)),
      h(
        "tbody",
        {},
        list.map((run) => row(run, scale)),
      ),
    );
  };
  const choose = (run) => {
    if (other === run) other = null;
    shown = run;
    show(run);
    if (other) beside(other);
    draw();
  };
  const compare = (run) => {
    other = other === run ? null : run;
    beside(other);
    draw();
  };
  const row = (run, scale) => {
    const i = indexIn(run, workload()),
      outcome = run.data.outcomes[i];
    const name = h(
      "button",
      { class: "name", "aria-pressed": String(run === shown), title: "show this run", onclick: () => choose(run) },
      judged(run).mark + " " + run.label,
      h("small", {}, run.changes),
    );
    const compares = h(
      "button",
      { "aria-pressed": String(run === other), title: "show it beside the run that is shown", onclick: () => compare(run) },
      run === other ? "End comparison" : "Compare",
    );
    const number = (text) => h("td", {}, text);
    return h(
      "tr",
      { class: run === shown ? "shown" : run === other ? "other" : "" },
      h("th", { scope: "row" }, name, chart(run.data, i, scale)),
      number(outcome ? outcome.ends.toFixed(3) + "s" : "–"),
      number(outcome && outcome.least !== null ? outcome.least : "–"),
      number(outcome ? outcome.most : "–"),
      h("td", {}, run === shown ? h("span", { class: "dim" }, "shown") : compares),
    );
  };
  draw();
  return {
    list,
    draw,
    shown: () => shown,
    other: () => other,
    add: (run) => {
      list.push(run);
      while (list.length > mostRuns) list.splice(list[0] === shown || list[0] === other ? 1 : 0, 1);
      choose(run);
      host.scrollIntoView({ block: "nearest" });
    },
    choose,
    compare,
  };
}

const indexIn = (run, name) => Math.max(run.data.workloads.indexOf(name), 0);

// scaleOf is the longest time and the most Pods of all runs, so that equal numbers are equally long.
const scaleOf = (list, name) => {
  const outcomes = list.map((run) => run.data.outcomes[indexIn(run, name)]).filter(Boolean);
  return { time: Math.max(0.001, ...outcomes.map((o) => o.ends)), pods: Math.max(1, ...outcomes.map((o) => o.most)) };
};

// chart draws how many Pods there were (the line) and how many were available (the area). The table says the same in numbers.
function chart(data, workload, scale) {
  const ns = "http://www.w3.org/2000/svg",
    width = 200,
    height = 26;
  const x = (t) => ((Math.min(t, scale.time) / scale.time) * width).toFixed(1),
    y = (n) => (height - 1 - (Math.min(n, scale.pods) / scale.pods) * (height - 3)).toFixed(1);
  let area = `M0 ${y(0)}`,
    line = `M0 ${y(0)}`,
    end = 0;
  for (const beat of data.beats) {
    const w = beat.state && beat.state["rollout" + workload];
    if (!w || w.absent || beat.t > scale.time) continue;
    end = beat.t;
    area += `H${x(end)}V${y(w.available)}`;
    line += `H${x(end)}V${y(w.pods)}`;
  }
  const path = (d, name) => {
    const e = document.createElementNS(ns, "path");
    e.setAttribute("d", d);
    e.setAttribute("class", name);
    return e;
  };
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path(area + `H${width}V${y(0)}Z`, "available"), path(line + `H${width}`, "pods"));
  return svg;
}
