// The numbers that a rollout is about, as sliders: each change runs a branch, which is the scenario with other numbers.
import { h } from "player";
import { plausible } from "./link.js";

// kinds are those that have a field; without them, all Pods have it.
const fields = [
  {
    field: "maxSurge",
    label: "max surge",
    about: "Pods more than wanted: 3 or 25%",
    kinds: /^(deployment|daemonset)\//,
    min: 0,
    max: 10,
    step: 1,
    unit: "",
  },
  {
    field: "maxUnavailable",
    label: "max unavailable",
    about: "Pods fewer than wanted: 2 or 25%",
    kinds: /^(deployment|daemonset|statefulset)\//,
    min: 0,
    max: 10,
    step: 1,
    unit: "",
  },
  {
    field: "ready",
    label: "ready after",
    about: "how long a Pod takes until it is ready: 2s or 2s..8s",
    min: 0,
    max: 30,
    step: 0.5,
    unit: "s",
  },
  {
    field: "replicas",
    label: "replicas",
    about: "how many Pods are wanted: 10",
    kinds: /^(deployment|replicaset|statefulset|replicationcontroller)\//,
    min: 0,
    max: 20,
    step: 1,
    unit: "",
  },
];

// numbers are the fields. changed is called with the value of each change; they are strings, as in the scenario.
export function numbers(host, { changed, seeded, chosen }) {
  // workload is undefined until a run has shown it.
  const state = { vary: {}, base: {}, workload: undefined };
  const rows = Object.fromEntries(fields.map((f) => [f.field, row(f, state, changed)]));
  const seed = h("input", {
    type: "text",
    inputmode: "numeric",
    id: "seed",
    maxlength: 18,
    placeholder: "of the scenario",
    "aria-describedby": "seed-help",
    onchange: () => seeded(),
  });
  const another = h(
    "button",
    { title: "the next seed", onclick: () => ((seed.value = String((Number(seed.value) || 1) + 1)), seeded()) },
    "Next",
  );
  const object = h("select", { id: "object", onchange: () => chosen() });
  const objectRow = h(
    "div",
    { class: "number", hidden: true },
    h("div", { class: "label" }, h("label", { for: "object" }, "workload")),
    object,
  );
  const reset = h("button", { onclick: () => changed({}), hidden: true }, "As in the scenario");
  host.append(
    h("h2", {}, "What if?", reset),
    h(
      "div",
      { class: "fields" },
      Object.values(rows).map((r) => r.element),
      h("div", { class: "number" }, h("div", { class: "label" }, h("label", { for: "seed" }, "seed")), seed, another),
      objectRow,
    ),
    h("p", { class: "dim", id: "seed-help" }, "Each change runs a branch. Another seed draws other names and delays."),
  );
  const show = () => {
    for (const r of Object.values(rows)) r.show();
    reset.hidden = !fields.some(({ field }) => state.vary[field]);
  };
  show();
  return {
    // seed is what is typed: a number, or "" for that of the scenario.
    seed: () => seed.value.trim(),
    vary: () => ({ ...state.vary }),
    object: () => object.value,
    workload: () => Math.max(object.selectedIndex, 0),
    // take shows the numbers of a run: those that it changes, and those of its scenario.
    take: ({ seed: value, vary, base, workloads }) => {
      seed.value = value;
      state.vary = { ...vary };
      if (base) state.base = base;
      if (workloads) {
        const before = (vary && vary.object) || object.value;
        object.replaceChildren(...workloads.map((name) => h("option", { selected: name === before }, name)));
        objectRow.hidden = workloads.length < 2;
        state.workload = base ? object.value : undefined;
      }
      show();
    },
  };
}

function row({ field, label, about, kinds, min, max, step, unit }, state, changed) {
  const set = (value) => {
    const vary = { ...state.vary, [field]: value };
    if (!value || value === state.base[field]) delete vary[field];
    changed(vary);
  };
  const text = h("input", {
    type: "text",
    maxlength: 12,
    id: field,
    title: about,
    onchange: () => {
      const value = text.value.trim();
      const wrong = value !== "" && !plausible(field, value);
      text.setAttribute("aria-invalid", String(wrong));
      error.textContent = wrong ? "Try: " + about : "";
      if (!wrong) set(value);
    },
  });
  const range = h("input", {
    type: "range",
    min,
    max,
    step,
    "aria-label": label,
    oninput: () => (text.value = range.value + unit),
    onchange: () => set(range.value + unit),
  });
  const mark = h("small", { class: "mark" });
  const error = h("small", { class: "wrong", role: "alert" });
  const show = () => {
    const own = state.vary[field],
      base = state.base[field];
    text.value = own || "";
    text.placeholder = base || "";
    text.removeAttribute("aria-invalid");
    error.textContent = "";
    const absent = Boolean(kinds && state.workload !== undefined && !kinds.test(state.workload));
    range.disabled = text.disabled = absent;
    text.title = absent ? `${state.workload || "This scenario"} has no ${label}` : about;
    mark.textContent = own ? (base ? "was " + base : "changed") : "";
    const shown = parseFloat(own && !own.endsWith("%") ? own : state.base[field + "Count"] || base);
    range.max = Math.max(max, Math.ceil(2 * shown) || 0);
    range.value = shown || 0;
    range.setAttribute("aria-valuetext", own || (base ? base + ", as in the scenario" : "as in the scenario"));
  };
  return {
    element: h(
      "div",
      { class: "number" },
      h("div", { class: "label" }, h("label", { for: field }, label), mark),
      range,
      text,
      error,
    ),
    show,
  };
}

// baseOf are the numbers that a scenario has by itself, as its run shows them for a workload.
export function baseOf(data, text, workload) {
  let last = null;
  for (const beat of data.beats) {
    const r = beat.state && beat.state["rollout" + workload];
    if (r && !r.absent) last = r;
  }
  // Pods that never become ready stay so in a branch, too.
  const ready = /\bready:\s*["']?(\d[\w.]*)/.exec(text.split(/^\s*steps:/m)[0]);
  if (!last) return {};
  const base = { replicas: String(last.replicas), ready: ready ? ready[1] : "" };
  const limits = last.limits;
  if (limits) {
    Object.assign(base, { maxSurge: limits.maxSurge, maxSurgeCount: limits.maxSurgePods });
    Object.assign(base, { maxUnavailable: limits.maxUnavailable, maxUnavailableCount: limits.maxUnavailablePods });
  }
  return base;
}
