// The page: an editor, the numbers, the runs, and the player of what they give. Its whole state is in the address.
import example from "../../../../lessons/rolling-update.yaml";
import { h, player, toggleTheme } from "player";
import { Address } from "./address.js";
import { editor } from "./editor.js";
import { Engine, Failure, Stopped, missing, modern } from "./engine.js";
import { BadLink, longLink, read, sameRun } from "./link.js";
import { baseOf, numbers } from "./numbers.js";
import { picker } from "./picker.js";
import { problems } from "./problems.js";
import { Queue } from "./queue.js";
import { report } from "./report.js";
import { result } from "./result.js";
import { changesOf, instant, judged, kept, same } from "./run.js";
import { runs } from "./runs.js";
import { save } from "./save.js";
import { sections } from "./sections.js";
import { site } from "./site.js";
import { seconds, status } from "./status.js";
import { task, taskIn } from "./task.js";
import { welcome } from "./welcome.js";

const exampleName = "rolling-update";
const yours = "a scenario of yours";
const $ = (id) => document.getElementById(id);
const lacks = missing();
// film is the player of the run that is shown, began is when the run began, in milliseconds of real time.
let film = null,
  began = 0;

// The parts of the page.
const section = sections($("sections"));
const pick = picker((scenario) => open(scenario.text, scenario.name));
const button = (id, text, title, act, more) => h("button", { id, title, onclick: act, ...more }, text);
const runButton = button("run", "▶ Run", "run the scenario (Ctrl-Enter)", () => run(), { class: "main" });
const stopButton = button("stop", "■ Stop", "end the run", () => stop());
const says = h("div", { class: "says" });
$("masthead").append(
  pick.button,
  runButton,
  stopButton,
  button("copy", "Copy link", "copy a link to this run at this place", () => copyLink()),
  button("theme", "◐", "light or dark", toggleTheme, { "aria-label": "light or dark" }),
  says,
);
const bar = status(says);
const editorHost = h("div", { id: "editor" });
const practice = task($("scenario"), { insert: (step) => edit.append(step), restart: () => restart() });
$("scenario").append(
  h(
    "h2",
    {},
    h("span", { id: "edited" }, "Scenario"),
    button("download", "Download YAML", "the text of the editor as a file", () => download()),
  ),
  editorHost,
  h("p", { class: "dim", id: "editor-help" }, "Ctrl-Space completes, Ctrl-Enter runs, Escape and Tab leave the editor."),
);
const edit = editor(editorHost, example, { changed: () => edited(), run: () => run() });
const wrong = problems($("scenario"), (error) => edit.show(error));
const number = numbers($("numbers"), {
  changed: (vary) => run(vary),
  seeded: () => run(number.vary()),
  chosen: () => (list.draw(), numbersOf(list.shown())),
});
// origin stands where an exported page says what it is.
const origin = h("div", { class: "origin" });
const list = runs($("runs"), { show, beside, workload: () => number.object() });
const address = new Address();
const engine = new Engine({ heard, failed: broken });
const message = (failure) => report($("message"), failure);
const queue = new Queue(engine, { started, progressed, done: took, failed: brokeOff, rested: buttons });

function failed(failure) {
  if (failure instanceof Stopped) return;
  message(
    failure instanceof Failure
      ? failure
      : new Failure("The page failed: " + failure.message, "reload the page; the address keeps your work."),
  );
}

// The engine. While it loads, one can choose a scenario, edit it, and ask for its run.
function heard(what) {
  if (what.type === "loading") return bar.loading(what);
  bar.done(`Ready: kube-controller-manager ${what.kubernetes}, in this tab`);
  buttons();
  queue.work().then(validate).catch(failed);
}

async function library() {
  const answer = await fetch("library.json");
  if (!answer.ok)
    throw new Failure(
      `The scenarios cannot be loaded: ${answer.status} ${answer.statusText}.`,
      "reload the page. The editor works without them.",
    );
  const { scenarios, requests } = await answer.json();
  pick.fill(scenarios);
  practice.know(requests);
  named(edit.text());
}

// broken is for an engine that has ended by itself. One that ran before starts again.
function broken(failure, ran) {
  message(failure);
  bar.done(failure.message);
  if (ran) engine.start();
  buttons();
}

// The editor.
const nameOf = (text) => (pick.withText(text) || {}).name || (text === example ? exampleName : "");

function open(text, name) {
  put(text, name);
  number.take({ seed: "", vary: {}, base: {}, workloads: [] });
  message(null);
  section.go("scenario");
  unrun();
  // Of a task, a learner first wants to see the cluster.
  if (taskIn(text)) return run();
  validate();
}

function put(text, name) {
  edit.open(text);
  wrong.show(null);
  named(text, name);
}

// named says what a text is: a scenario or a task that comes with kubestep, or one of the reader.
function named(text, name = nameOf(text)) {
  const about = taskIn(text);
  pick.say(about || name || yours);
  practice.show(about ? pick.named(about) : null);
  $("edited").textContent = about ? "Your steps" : "Scenario";
}

// restart begins a task again.
function restart() {
  const entry = pick.named(taskIn(edit.text()));
  if (entry) open(entry.text, entry.name);
}

// edited waits until the reader pauses.
let pause = 0;
function edited() {
  clearTimeout(pause);
  wrong.stale();
  pause = setTimeout(() => {
    named(edit.text());
    unrun();
    validate();
  }, 600);
}

// unrun writes the text into the address before it has run.
const unrun = () =>
  address.put({ text: edit.text(), name: nameOf(edit.text()), seed: number.seed(), vary: null, place: "" }).catch(failed);

let checks = 0;
async function validate() {
  if (!engine.ready || queue.running) return;
  const mine = ++checks;
  try {
    const { errors } = await engine.ask("validate", { text: edit.text() });
    if (mine === checks) found(errors || []);
  } catch (failure) {
    failed(failure);
  }
}

function found(errors) {
  wrong.show(errors);
  edit.mark(errors);
}

function download() {
  const name = /^ *name: *([a-z0-9-]+) *$/m.exec(edit.text());
  save((name ? name[1] : "scenario") + ".yaml", "text/yaml", edit.text());
}

// Runs. One that was made before is shown again.
function run(vary = null) {
  const text = edit.text(),
    seed = number.seed();
  if (!/^\d{0,18}$/.test(seed)) return message(new Failure("The seed is not a number.", "1"));
  if (lacks) return message(new Failure(lacks, modern));
  const changed = vary && Object.keys(vary).some((field) => field !== "object");
  const asked = {
    text,
    seed,
    name: nameOf(text),
    vary: changed ? { ...vary, ...(number.object() && { object: number.object() }) } : null,
  };
  const known = list.list.find((r) => same(r, asked));
  number.take({ seed, vary: asked.vary || {} });
  if (known) {
    list.choose(known);
    return section.go("watch");
  }
  queue.add(asked).catch(failed);
}

function started(asked) {
  began = performance.now();
  message(null);
  progressed(asked, {});
  buttons();
}

function progressed(asked, { now, records }) {
  bar.running(changesOf(asked) || asked.name || "your scenario", now, records);
}

function took(asked, answer) {
  const shown = list.shown(),
    made = kept(asked, answer);
  // A branch is looked at when its parent was.
  if (!made.place && shown && shown.text === made.text) made.place = instant(film.place());
  Object.assign(made.data, { command: made.command, title: made.data.title || made.label });
  list.add(made);
  if (asked.parent && list.list.includes(asked.parent)) list.compare(asked.parent);
  section.go("watch");
  // The keys are those of the player now, unless the reader is elsewhere.
  if ([document.body, runButton].includes(document.activeElement)) $("film").focus({ preventScroll: true });
  bar.done(`${judged(made).words}; it took ${((performance.now() - began) / 1000).toFixed(1)} s in this tab`);
  validate();
}

function brokeOff(asked, failure, { now, records }) {
  if (failure instanceof Stopped) {
    const where = records ? ` at ${seconds(now)} of virtual time, after ${records.toLocaleString("en")} records` : "";
    bar.done("Stopped" + where);
    const hint = "run it again, which gives the same run, or give the scenario a shorter spec.horizon.";
    return message(new Failure(`You stopped the run${where}. Nothing of it is kept.`, hint));
  }
  if (failure.errors && failure.errors.length) {
    // The errors are below the editor, with their places: the page says them once.
    found(failure.errors);
    section.go("scenario");
    return bar.done(records ? "The run failed: see the errors of the scenario" : "The scenario has errors: nothing ran");
  }
  bar.done("The run failed");
  failed(failure);
}

function stop() {
  queue.clear();
  engine.stop();
}

function buttons() {
  runButton.disabled = Boolean(lacks);
  stopButton.disabled = !queue.running;
}

// The player.
const about = { engine, failed, go: (record) => film.follow("n=" + record) };
function show(made) {
  const place = made.place || (made.seen && film ? instant(film.place()) : "");
  if (film) film.close();
  $("film").replaceChildren();
  Object.assign(made, { place: "", seen: true });
  film = player($("film"), made.data, {
    place,
    origin,
    moved: (at) => address.put({ ...made, place: at }).catch(failed),
    touch: (thing) => engine.ask("touch", { ...thing, text: made.ran, archive: made.archive }).then(({ offers }) => offers),
    branch: (command) => branchOff(made, command).catch(failed),
  });
  if (edit.text() === made.text) {
    numbersOf(made);
    if (made.report) practice.grade(made.report);
  }
  result(origin, made, list.other(), about);
}

// branchOff runs what the reader wants to happen otherwise. It is compared with its parent at once.
async function branchOff(parent, command) {
  const { text, added, at } = await engine.ask("branch", { ...command, text: parent.ran, archive: parent.archive });
  const branch = `at ${at.toFixed(3)}s: ${added}`;
  await queue.add({ text, seed: "", name: "", vary: null, branch, parent, place: "t=" + at + "&view=stage" });
}

function beside(other) {
  const here = list.shown(),
    name = (r) => r.changes || r.label;
  film.beside(other && { lesson: other.data, here: name(here), there: name(other) });
  result(origin, here, other, about);
  if (other) section.go("watch");
}

// numbersOf shows the numbers of a run: its changes, and those that its scenario has without them.
function numbersOf(made) {
  if (!made) return;
  const plain = list.list.find((r) => r.text === made.text && !r.vary);
  const base = plain && baseOf(plain.data, plain.text, number.workload());
  number.take({ seed: made.seed, vary: made.vary || {}, base, workloads: made.data.workloads });
}

// preview shows the recording of a scenario as the site has it, while the engine loads; that takes a while the first time.
async function preview() {
  const text = edit.text(),
    name = nameOf(text),
    asIs = number.seed() === "" && !Object.keys(number.vary() || {}).length;
  const recorded = name && asIs && !engine.ready && !film && (await around.recorded(name));
  if (!recorded || film || edit.text() !== text) return;
  const says = h(
    "p",
    { class: "dim" },
    "This is a recording, until the engine is loaded. Then you can change the scenario and run it.",
  );
  $("film").replaceChildren();
  film = player($("film"), recorded, { place: location.hash.slice(1), origin: says, moved: () => {} });
}

// Links.
async function copyLink() {
  try {
    const { length } = await address.copy();
    bar.done(
      length > longLink
        ? `The link is copied. It has ${length} characters; some programs cut such links off.`
        : "The link is copied",
    );
  } catch {
    message(new Failure("The browser does not allow the page to copy.", "copy the address of this page: it is the link."));
  }
}

// follow opens what a link says, and runs it if the link is about a run.
async function follow(link) {
  const shipped = link.name && pick.named(link.name);
  if (link.name && !shipped) {
    const hint = "the list at the top has the scenarios of this version of kubestep.";
    return message(new Failure(`This page has no scenario "${link.name}". The link may be of another version.`, hint));
  }
  if (shipped) put(shipped.text, shipped.name);
  else if (link.text !== undefined) put(link.text, nameOf(link.text));
  number.take({ seed: link.seed, vary: link.vary || {}, base: {}, workloads: [] });
  if (!link.place) return validate();
  const asked = { text: edit.text(), name: nameOf(edit.text()), seed: link.seed, vary: link.vary, place: link.place };
  const known = list.list.find((r) => same(r, asked));
  if (!known) return queue.add(asked);
  known.place = link.place;
  list.choose(known);
}

async function fromAddress() {
  const fragment = location.hash.slice(1);
  if (!fragment) return;
  try {
    await follow(await read(fragment));
  } catch (failure) {
    if (!(failure instanceof BadLink)) throw failure;
    message(new Failure(failure.message, "a scenario that comes with kubestep, or your own text."));
  }
}

addEventListener("hashchange", () => {
  if (location.hash === address.link) return;
  if (film && sameRun(location.hash, address.link)) return film.follow(location.hash.slice(1));
  fromAddress().catch(failed);
});
addEventListener("keydown", (e) => {
  if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || e.defaultPrevented) return;
  e.preventDefault();
  run();
});

pick.say(exampleName);
$("film").append(welcome(() => run()));
const around = site($("masthead"));
buttons();
if (lacks) {
  message(new Failure(lacks + " The scenario cannot run here.", modern));
  bar.done("The engine cannot run in this browser");
} else engine.start();
library()
  .then(fromAddress)
  .then(() => preview())
  .catch(failed);
