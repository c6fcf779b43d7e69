// A class: the presenter's page leads, the pages of the students follow it and send their votes.
const secret = new URLSearchParams(location.search).toString();
const student = lesson.class === "student",
  presenter = lesson.class === "presenter";
// How long an answer of the server may take: it answers a request for news after five seconds at most.
const patience = 8000;
const post = (path, body) =>
  fetch(path + "?" + secret, { method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(patience) });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
let sentPlace = -1;
async function lead() {
  if (!presenter || sentPlace === me.at) return;
  const at = (sentPlace = me.at);
  try {
    if ((await post("/place", { at })).ok) return;
  } catch (e) {
    connected(false);
  }
  await pause(1000);
  if (sentPlace !== at) return;
  sentPlace = -1;
  lead();
}
function connected(yes) {
  const was = !me.lost;
  me.lost = !yes;
  if (was !== yes) draw();
}
// The server keeps the begin of a long answer: maxAnswer characters.
const cut = (text) => Array.from(text).slice(0, 80).join("");
// Why a vote is not there. Those that may arrive later are tried again, the others not.
const later = { 0: "no connection", 429: "too many requests at once", 503: "the class is full" };
const never = { 400: "this is not an answer to the question", 403: "this class is over, or its code is another one", 409: "the question is closed" };
// vote sends an answer until the server has it, the newest one if it changes meanwhile. Only then it counts as given.
async function vote(text) {
  const step = beats[me.at].ask.step;
  const ballot = me.ballots.get(step) || {};
  Object.assign(ballot, { text, trouble: "" });
  me.ballots.set(step, ballot);
  draw();
  if (ballot.sending) return;
  ballot.sending = true;
  for (let wait = 500; ballot.sending; ) {
    const sent = ballot.text;
    let status = 0;
    try {
      status = (await post("/vote", { student: me.id, step, text: sent })).status;
      connected(true);
    } catch (e) {
      connected(false);
    }
    if (status === 204) me.votes.set(step, sent);
    if (sent !== ballot.text) continue;
    ballot.sending = status !== 204 && !never[status];
    ballot.trouble = status === 204 ? "" : never[status] || (later[status] || "the server answers " + status) + ", trying again";
    draw();
    if (!ballot.sending) return;
    await pause(wait);
    wait = Math.min(2 * wait, 4000);
  }
}
addEventListener("offline", () => connected(false), { signal: over.signal });
// What a student reads about the own vote.
function receipt(step) {
  const ballot = me.ballots.get(step),
    said = me.votes.get(step);
  if (ballot && ballot.trouble) return "Not sent: " + ballot.trouble + ".";
  if (ballot && ballot.sending) return "Sending: " + ballot.text + "…";
  return said === undefined ? "Your answer can be changed until the presenter goes on." : "You answered: " + said;
}
async function news() {
  for (let since = -1; ;) {
    let answer;
    try {
      answer = await fetch("/state?" + secret + "&since=" + since, { signal: AbortSignal.timeout(patience) });
    } catch (e) {
      connected(false);
      await pause(1000);
      continue;
    }
    if (answer.status === 403) return fail("This class is over, or its code is another one.");
    if (answer.status === 429) await pause(1000);
    connected(true);
    if (answer.status === 200) {
      const state = await answer.json();
      since = state.version;
      me.tally = state.tally || {};
      me.students = state.students || 0;
      if (student) {
        for (const i of asks) if (i < state.at) me.answers.set(beats[i].ask.step, "");
        place(Math.min(state.at, beats.length - 1));
      }
    }
    if (answer.status === 200) draw();
  }
}
// What a student sees in place of the choices' meaning, and the presenter beside them.
function ballot(b) {
  const step = b.ask.step,
    choices = b.ask.choices || [],
    said = me.ballots.get(step) ? me.ballots.get(step).text : me.votes.get(step);
  if (presenter) {
    const votes = Object.values(me.tally[step] || {}).reduce((a, n) => a + n, 0);
    return [
      h(
        "ol",
        { class: "letters" },
        choices.map((c) => h("li", {}, c)),
      ),
      h("p", { class: "votes" }, votes + (votes === 1 ? " answer" : " answers") + " so far"),
      h("button", { class: "main", onclick: () => answer("") }, "Show the answer"),
    ];
  }
  const form = (e) => {
    e.preventDefault();
    if (e.target.said.value.trim()) vote(e.target.said.value.trim());
  };
  return [
    choices.length
      ? h(
          "div",
          { class: "choices" },
          choices.map((c, i) =>
            h(
              "button",
              { class: c === said ? "main" : "", "aria-pressed": String(c === said), onclick: () => vote(c) },
              String.fromCharCode(65 + i) + "  " + c,
            ),
          ),
        )
      : h(
          "form",
          { onsubmit: form },
          h("input", { type: "text", name: "said", maxlength: 80, "aria-label": "your answer" }),
          " ",
          h("button", {}, "Answer"),
        ),
    h("p", { class: "dim", role: "status" }, receipt(step)),
  ];
}
// How many gave which answer: the choices in their order, then what else was answered, the most frequent first.
function histogram(b) {
  const { step, text: right } = b.answer;
  const rest = new Map(Object.entries(me.tally[step] || {}));
  const choices = beats.find((x) => x.ask && x.ask.step === step).ask.choices || [];
  const rows = choices.map((choice, i) => {
    const kept = cut(choice),
      votes = rest.get(kept) || 0;
    rest.delete(kept);
    return { text: String.fromCharCode(65 + i) + " " + choice, votes, right: same(choice, right) };
  });
  const others = [...rest].sort((x, y) => y[1] - x[1]);
  for (const [text, votes] of others) rows.push({ text, votes, right: same(text, right) });
  const most = Math.max(1, ...rows.map((row) => row.votes));
  return h(
    "div",
    { class: "histogram", role: "group", "aria-label": "votes" },
    rows.map((row) =>
      h(
        "div",
        { class: "bar tone-" + (row.right ? "ready" : "now") },
        h("span", {}, row.text, row.right ? h("b", { class: "right" }, " ✓ right") : null),
        h("div", { class: "track" }, h("div", { class: "fill", style: { width: (100 * row.votes) / most + "%" } })),
        h("span", {}, String(row.votes)),
      ),
    ),
  );
}
