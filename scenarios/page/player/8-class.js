// A class: the presenter's page leads, the pages of the students follow it and send their votes.
const secret = new URLSearchParams(location.search).toString();
const student = lesson.class === "student",
  presenter = lesson.class === "presenter";
const post = (path, body) => fetch(path + "?" + secret, { method: "POST", body: JSON.stringify(body) }).catch(() => {});
let sentPlace = -1;
function lead() {
  if (!presenter || sentPlace === me.at) return;
  sentPlace = me.at;
  post("/place", { at: me.at });
}
// The server keeps the begin of a long answer: maxAnswer characters.
const cut = (text) => Array.from(text).slice(0, 80).join("");
function vote(text) {
  const step = beats[me.at].ask.step;
  me.votes.set(step, text);
  post("/vote", { student: me.id, step, text });
  draw();
}
async function news() {
  for (let since = -1; ;) {
    let answer;
    try {
      answer = await fetch("/state?" + secret + "&since=" + since);
    } catch (e) {
      me.lost = true;
      draw();
      await new Promise((done) => setTimeout(done, 2000));
      continue;
    }
    if (answer.status === 403) return fail("This class is over, or its code is another one.");
    if (answer.status === 429) await new Promise((done) => setTimeout(done, 1000));
    const was = me.lost;
    me.lost = false;
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
    if (answer.status === 200 || was) draw();
  }
}
// What a student sees in place of the choices' meaning, and the presenter beside them.
function ballot(b) {
  const step = b.ask.step,
    said = me.votes.get(step);
  const choices = b.ask.choices || [];
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
    h(
      "p",
      { class: "dim" },
      said === undefined ? "Your answer can be changed until the presenter goes on." : "You answered: " + said,
    ),
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
        { class: "bar " + (row.right ? "updated" : "pods") },
        h("span", {}, row.text, row.right ? h("b", { class: "right" }, " ✓ right") : null),
        h("div", { class: "track" }, h("div", { class: "fill", style: { width: (100 * row.votes) / most + "%" } })),
        h("span", {}, String(row.votes)),
      ),
    ),
  );
}
