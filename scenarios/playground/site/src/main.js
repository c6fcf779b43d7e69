// The page: an editor, the numbers, the runs, and the player of what they give. Its whole state is in the address.
import example from "../../../lessons/rolling-update.yaml";
import { h, player, toggleTheme } from "player";
import { editor } from "./editor.js";
import { Engine, Failure, Stopped, missing, modern } from "./engine.js";
import { BadLink, longLink, read, sameRun, write } from "./link.js";
import { baseOf, numbers } from "./numbers.js";
import { picker } from "./picker.js";
import { problems } from "./problems.js";
import { result } from "./result.js";
import { runs } from "./runs.js";
import { sections } from "./sections.js";
import { seconds, status } from "./status.js";

const $ = (id) => document.getElementById(id);
const lacks = missing();
const state = {
  // The scenario before the reader changed it: its name if it comes with kubestep.
  name: "rolling-update",
  running: null,
  next: null,
  kubernetes: "",
  film: null,
  // What a link asks for before the engine is there.
  wanted: null,
  link: "",
};

// The parts.
const section = sections($("sections"));
const pick = picker((scenario) => open(scenario.text, scenario.name));
const runButton = h("button", { id: "run", class: "main", title: "Ctrl-Enter", onclick: () => run() }, "▶ Run");
const stopButton = h("button", { id: "stop", disabled: true, title: "end the run", onclick: () => stop() }, "■ Stop");
const copyButton = h(
  "button",
  { id: "copy", title: "copy a link to this run at this place", onclick: () => copyLink() },
  "Copy link",
);
const themeButton = h(
  "button",
  { id: "theme", "aria-label": "light or dark", title: "light or dark", onclick: toggleTheme },
  "◐",
);
const says = h("div", { class: "says" });
$("masthead").append(pick.button, runButton, stopButton, copyButton, themeButton, says);
const bar = status(says);

const editorHost = h("div", { id: "editor" });
const saveYAML = h("button", { onclick: () => download() }, "Download YAML");
$("scenario").append(
  h("h2", {}, "Scenario", saveYAML),
  editorHost,
  h("p", { class: "dim", id: "editor-help" }, "Ctrl-Space completes, Ctrl-Enter runs; Escape, then Tab, leaves the editor."),
);
const edit = editor(editorHost, example, { changed: () => edited(), run: () => run() });
const wrong = problems($("scenario"), (error) => edit.show(error));
const number = numbers($("numbers"), {
  changed: (vary) => run(vary),
  seeded: () => run(),
  chosen: () => (list.draw(), numbersOf(list.shown())),
});
// origin stands where an exported page says what it is.
const origin = h("div", { class: "origin" });
const list = runs($("runs"), { show, beside, workload: () => number.object() });
pick.say("rolling-update");

const engine = new Engine({ heard, failed: broken });

// message shows a failure in words, with what to try.
function message(failure) {
  const close = h("button", { "aria-label": "close", onclick: () => $("message").replaceChildren() }, "✕");
  const text = failure && h("div", {}, h("b", {}, failure.message), failure.hint ? h("p", {}, "Try: " + failure.hint) : null);
  $("message").replaceChildren(...(failure ? [text, close] : []));
}

function heard(heard) {
  if (heard.type === "loading") return bar.loading(heard);
  state.kubernetes = heard.kubernetes;
  bar.done(`Ready: kube-controller-manager ${heard.kubernetes}, in this tab`);
  buttons();
  ready().catch(failed);
}

async function ready() {
  const { scenarios, course } = await engine.ask("library");
  const rank = (s) => (course || []).indexOf(s.name) + 1 || 1e6;
  pick.fill([...scenarios].sort((a, b) => rank(a) - rank(b)));
  const wanted = state.wanted;
  state.wanted = null;
  if (wanted) await follow(wanted);
  validate();
}

// broken is for an engine that has ended by itself. What was compiled already starts again.
function broken(failure) {
  message(failure);
  bar.done(failure.message);
  if (engine.module) engine.start();
  buttons();
}

function failed(failure) {
  if (failure instanceof Stopped) return;
  message(
    failure instanceof Failure
      ? failure
      : new Failure("The page failed: " + failure.message, "Reload the page; the address keeps your work."),
  );
}

// open shows a scenario in the editor.
function open(text, name) {
  state.name = name || "";
  edit.open(text);
  number.take({ seed: "", vary: {}, base: {}, workloads: [] });
  wrong.show(null);
  pick.say(name || "a scenario of yours");
  message(null);
  section.go("scenario");
  address("");
  validate();
}

// edited waits until the reader pauses.
let pause = 0;
function edited() {
  clearTimeout(pause);
  wrong.stale();
  pause = setTimeout(() => {
    address("");
    validate();
  }, 600);
}

let checking = 0;
async function validate() {
  if (!engine.ready || state.running) return;
  const mine = ++checking;
  try {
    const { errors } = await engine.ask("validate", { text: edit.text() });
    if (mine === checking) found(errors || []);
  } catch (failure) {
    failed(failure);
  }
}

function found(errors) {
  wrong.show(errors);
  edit.mark(errors);
}

const own = () => edit.text();
// nameOf is the name of the scenario in the editor if it is one that comes with kubestep, as it is.
const nameOf = (text) => (pick.withText(text) || {}).name || (text === example ? "rolling-update" : "");

// run runs what is in the editor, with other numbers if there are any. One that is asked for during another follows it.
function run(vary = null) {
  const what = { text: own(), seed: number.seed(), vary: vary && Object.keys(vary).length ? { ...vary } : null };
  if (what.vary && number.object()) what.vary.object = number.object();
  if (what.seed !== "" && !/^\d{1,18}$/.test(what.seed)) return message(new Failure("The seed is not a number.", "1"));
  if (lacks) return message(new Failure(lacks, modern));
  what.name = nameOf(what.text);
  const known = list.list.find((r) => r.text === what.text && r.seed === what.seed && same(r.vary, what.vary));
  if (known) {
    list.choose(known);
    return section.go("watch");
  }
  number.take({ seed: what.seed, vary: what.vary || {} });
  state.next = what;
  if (!state.running) work();
  else bar.show("Waits for the run before it …", { busy: true });
}

const same = (a, b) => JSON.stringify(Object.entries(a || {}).sort()) === JSON.stringify(Object.entries(b || {}).sort());

// work runs what is asked for, one after another.
async function work() {
  if (!engine.ready) return;
  while (state.next) {
    const what = state.next;
    state.next = null;
    state.running = { ...what, now: 0, records: 0 };
    buttons();
    try {
      took(what, await simulate(what));
    } catch (failure) {
      stopped(failure);
    }
    state.running = null;
    buttons();
  }
}

async function simulate({ name, text, seed, vary }) {
  message(null);
  const running = state.running,
    what = changesOf({ seed, vary }) || name || "your scenario";
  bar.running(what, 0, 0);
  const progress = ({ now, records }) => {
    Object.assign(running, { now, records });
    bar.running(what, now, records);
  };
  return engine.ask("run", { ...(name ? { name } : { text }), seed: seed === "" ? null : Number(seed), vary }, progress);
}

// took keeps a run, and shows it.
function took(what, { name, hash, verdict, summary, data, archive, text }) {
  const file = (name || "scenario").replace(/[^a-z0-9-]/g, "") || "scenario";
  const plainly = what.name && !what.vary;
  const command = `kubestep run ${plainly ? what.name : file + ".yaml"}${what.seed === "" ? "" : " --seed " + what.seed}`;
  const label = what.name || file + ", edited";
  const before = list.shown();
  const kept = {
    ...what,
    hash,
    verdict,
    summary,
    data,
    archive,
    file,
    command,
    label,
    changes: changesOf(what),
    ran: text || what.text,
  };
  // A branch is looked at where its parent was.
  if (!kept.place && before && before.text === kept.text) kept.place = beginning(state.film.place());
  Object.assign(data, { command, title: data.title || label });
  list.add(kept);
  section.go("watch");
  bar.done(
    `${verdict === "pass" ? "Pass" : verdict === "fail" ? "A check failed" : "Error"}: ended at ${seconds(data.beats.at(-1).t)} of virtual time`,
  );
  validate();
}

// beginning is a place without its record, whose number another run has for something else.
const beginning = (place) => {
  const q = new URLSearchParams(place);
  q.delete("n");
  return q.get("t") === "0" ? "" : q.toString();
};

function stopped(failure) {
  const { now, records } = state.running;
  if (failure instanceof Stopped) {
    const where = records ? ` at ${seconds(now)} of virtual time, after ${records.toLocaleString("en")} records` : "";
    const hint = "run it again, which gives the same run, or give the scenario a shorter spec.horizon.";
    bar.done("Stopped" + where);
    return message(new Failure(`You stopped the run${where}. Nothing of it is kept.`, hint));
  }
  bar.done("The run failed");
  if (failure.errors && failure.errors.length) {
    found(failure.errors);
    section.go("scenario");
  }
  failed(failure);
}

function stop() {
  state.next = null;
  engine.stop();
  buttons();
}

const changesOf = ({ seed, vary }) => {
  const { maxSurge, maxUnavailable, ready, replicas } = vary || {};
  const parts = [
    maxSurge && "maxSurge " + maxSurge,
    maxUnavailable && "maxUnavailable " + maxUnavailable,
    ready && "ready after " + ready,
    replicas && "replicas " + replicas,
    seed && "seed " + seed,
  ];
  return parts.filter(Boolean).join(", ");
};

function buttons() {
  runButton.disabled = Boolean(lacks);
  stopButton.disabled = !state.running;
  document.body.classList.toggle("running", Boolean(state.running));
}

// show shows a run in the player. It stays at the same virtual time as the run before it.
function show(kept) {
  const before = state.film ? beginning(state.film.place()) : "";
  if (state.film) state.film.close();
  $("film").replaceChildren();
  const place = kept.place || (before && list.list.some((r) => r.seen && r.text === kept.text) ? before : "");
  kept.place = "";
  kept.seen = true;
  state.film = player($("film"), kept.data, { place, origin, moved: (at) => address(at) });
  if (own() === kept.text) numbersOf(kept);
  result(origin, kept, list.other(), engine, failed);
}

function beside(other) {
  const here = list.shown();
  const name = (r) => r.changes || r.label;
  state.film.beside(other && { lesson: other.data, here: name(here), there: name(other) });
  result(origin, here, other, engine, failed);
  if (other) section.go("watch");
}

// numbersOf shows the numbers of a run: its changes, and those that its scenario has without them.
function numbersOf(kept) {
  if (!kept) return;
  const plain = list.list.find((r) => r.text === kept.text && !r.vary);
  const base = plain && baseOf(plain.data, plain.text, number.workload());
  number.take({ seed: kept.seed, vary: kept.vary || {}, base, workloads: kept.data.workloads });
}

// address writes the state into the address: the shown run at its place, or the text that has not run yet.
let writing = 0;
async function address(place) {
  const mine = ++writing,
    shown = list.shown();
  const of = place ? shown : { text: own(), seed: number.seed(), vary: null, name: nameOf(own()) };
  const link = await write({ ...of, place });
  if (mine !== writing) return;
  state.link = link;
  try {
    history.replaceState(null, "", link);
  } catch {
    /* some browsers limit how often, or forbid it in a frame */
  }
}

async function copyLink() {
  if (state.link) history.replaceState(null, "", state.link);
  try {
    await navigator.clipboard.writeText(location.href);
    const long = location.href.length > longLink;
    bar.done(
      long
        ? `The link is copied. It has ${location.href.length} characters; some programs cut such links off.`
        : "The link is copied",
    );
  } catch {
    message(new Failure("The browser does not allow the page to copy.", "copy the address of this page: it is the link."));
  }
}

function download() {
  const url = URL.createObjectURL(new Blob([own()], { type: "text/yaml" }));
  const name = (/^ *name: *([a-z0-9-]+) *$/m.exec(own()) || [, "scenario"])[1];
  h("a", { href: url, download: name + ".yaml" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// follow opens what a link says, and runs it if the link is about a run.
async function follow(link) {
  let text = link.text;
  if (link.name) {
    const scenario = pick.named(link.name);
    if (!scenario) {
      const hint = `"Scenarios" lists those of this version.`;
      return message(
        new Failure(`This page has no scenario "${link.name}". The link may be of another version of kubestep.`, hint),
      );
    }
    text = scenario.text;
  }
  if (text !== undefined) {
    state.name = link.name || "";
    edit.open(text);
    pick.say(link.name || "a scenario of yours");
  }
  number.take({ seed: link.seed, vary: link.vary || {}, base: {}, workloads: [] });
  if (!link.place) return validate();
  state.next = { text: own(), name: nameOf(own()), seed: link.seed, vary: link.vary, place: link.place };
  if (!state.running) await work();
}

async function fromAddress() {
  const fragment = location.hash.slice(1);
  if (!fragment) return;
  try {
    const link = await read(fragment);
    if (link.text !== undefined && !engine.ready) {
      edit.open(link.text);
      pick.say("a scenario of yours");
      link.text = undefined;
    }
    if (engine.ready) await follow(link);
    else state.wanted = link;
  } catch (failure) {
    if (!(failure instanceof BadLink)) throw failure;
    message(new Failure(failure.message, "the scenarios that come with kubestep work, too."));
  }
}

addEventListener("hashchange", () => {
  if (location.hash === state.link) return;
  if (state.film && sameRun(location.hash, state.link)) return state.film.follow(location.hash.slice(1));
  fromAddress().catch(failed);
});
addEventListener("keydown", (e) => {
  if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || e.defaultPrevented) return;
  e.preventDefault();
  run();
});

// welcome stands in the place of the player until there is a run.
const welcome = () =>
  h(
    "div",
    { class: "welcome" },
    h("h2", {}, "The real kube-controller-manager, in this tab"),
    h("p", {}, "No cluster, no server: Kubernetes' own controllers, compiled for the browser, against a simulated cluster."),
    h(
      "ol",
      {},
      h("li", {}, "Choose a scenario, or change this one."),
      h("li", {}, "Run it. Every request and every decision becomes a step that you can look at."),
      h("li", {}, "Change a number: what if maxSurge were 0? The two runs stand side by side."),
      h("li", {}, "Copy the link. It opens the same run at the same place for anybody, with the same trace hash."),
    ),
    h("button", { class: "main", onclick: () => run() }, "▶ Run this scenario"),
  );

$("film").append(welcome());
buttons();
if (lacks) {
  message(new Failure(lacks + " The scenario cannot run here.", modern));
  bar.done("The engine cannot run in this browser");
} else engine.start();
fromAddress().catch(failed);
