// The place of the reader in the film, and how it moves.
const speeds = [0.25, 0.5, 1, 2, 4, 8];
const hasWork = lesson.workloads.length > 0;
const names = Object.fromEntries(lesson.tabs.map((tab) => [tab.word, tab.name]));
const keyed = Object.fromEntries(lesson.tabs.map((tab) => [tab.key, tab.word]));
const views = Object.keys(names).filter((v) => v !== "rollout" || hasWork);
const me = {
  at: -1,
  playing: false,
  speed: host.kept ? host.kept.speed : 2,
  view: "stage",
  work: 0,
  answers: host.kept ? host.kept.answers : new Map(),
  timer: 0,
};

// The reader does not see what comes after a question that is open.
const openAsk = () => asks.find((i) => !me.answers.has(beats[i].ask.step));
const asked = (i = me.at) => beats[i].ask && !me.answers.has(beats[i].ask.step);
// What comes of a sync that goes on is part of the question.
const result = (b) => {
  const limit = openAsk();
  return limit !== undefined && b.end > beats[limit].seq ? say("in progress") : b.result;
};
const tells = (b) => b.note || b.ask || b.answer;
const time = (s) => s.toFixed(3) + "s";

// The direction of the lesson that applies at a beat: which view, and which workloads are in it.
const directions = [];
beats.forEach((b, i) => directions.push(b.view ? b : directions[i - 1] || {}));
const direction = () => directions[me.at];

// Where the direction changes, the view follows it. The reader may look elsewhere, and stays in the list of beats while reading it.
const reads = () => document.activeElement.matches(".story");
function place(to) {
  const before = me.at < 0 ? {} : direction();
  me.at = to;
  const now = direction();
  if (now === before) return;
  if (views.includes(now.view) && !reads()) me.view = now.view;
  if (now.works) me.work = now.works[0];
}

function go(to, keep) {
  const limit = openAsk();
  place(Math.max(0, Math.min(to, beats.length - 1, limit === undefined ? beats.length - 1 : limit)));
  if (!keep) stop();
  draw();
}
function stop() {
  me.playing = false;
  clearTimeout(me.timer);
}
function play() {
  if (me.playing) {
    stop();
    return draw();
  }
  if (asked()) return draw();
  if (me.at === beats.length - 1) me.at = 0;
  me.playing = true;
  advance(tells(beats[me.at]) ? 0 : undefined);
  draw();
}
function advance(wait) {
  clearTimeout(me.timer);
  me.timer = setTimeout(
    () => {
      if (!me.playing) return;
      if (me.at >= beats.length - 1) {
        stop();
        return draw();
      }
      go(me.at + 1, true);
      if (tells(beats[me.at])) {
        stop();
        draw();
      } else advance();
    },
    wait === undefined ? beats[me.at].ms / speeds[me.speed] : wait,
  );
}
const jump = (by, matches) => {
  for (let i = me.at + by; i >= 0 && i < beats.length; i += by) if (matches(beats[i])) return go(i);
  go(by > 0 ? beats.length - 1 : 0);
};
const decides = (b) => b.kind === "decision" || b.kind === "action" || tells(b);
const pace = () => {
  const ms = beats[me.at].ms,
    next = beats[me.at + 1];
  if (!next || !ms) return "";
  let real = 0,
    virtual = 0;
  for (let i = Math.max(0, me.at - 8); i < Math.min(beats.length - 1, me.at + 8); i++) {
    real += beats[i].ms / 1000;
    virtual += beats[i + 1].t - beats[i].t;
  }
  const ratio = (virtual / real) * speeds[me.speed];
  if (!(ratio > 0)) return "";
  return ratio >= 1 ? "×" + Number(ratio.toPrecision(1)) : say("1/{n} of real time", { n: Number((1 / ratio).toPrecision(1)) });
};

const placed = () =>
  "t=" + beats[me.at].t.toFixed(6).replace(/0+$/, "").replace(/\.$/, "") + "&n=" + beats[me.at].seq + "&view=" + me.view;
function follow(link) {
  const q = new URLSearchParams(link);
  const n = Number(q.get("n")),
    t = Number(q.get("t"));
  let to = -1;
  if (q.get("n") && n > 0) to = beats.findIndex((b) => b.seq === n);
  if (to < 0 && q.get("t") && Number.isFinite(t)) {
    to = 0;
    while (to + 1 < beats.length && beats[to + 1].t <= t + 5e-4) to++;
  }
  // A record between two beats is part of the first one.
  if (to < 0 && n > 0) {
    to = 0;
    while (to + 1 < beats.length && beats[to + 1].seq <= n) to++;
  }
  // A link to a place behind a question leads there: whoever sends it wants it to be seen.
  if (to >= 0) {
    for (const i of asks) if (i < to) me.answers.set(beats[i].ask.step, "");
  }
  place(Math.max(to, 0));
  if (views.includes(q.get("view"))) me.view = q.get("view");
}
