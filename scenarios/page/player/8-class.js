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
      h("p", { class: "votes" }, votes + (votes === 1 ? " answer" : " answers") + " until now"),
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
// How many gave which answer.
function histogram(b) {
  const counts = me.tally[b.answer.step] || {};
  const most = Math.max(1, ...Object.values(counts));
  const row = ([text, n]) =>
    h(
      "div",
      { class: "bar " + (same(text, b.answer.text) ? "updated" : "pods") },
      h("span", {}, String(n)),
      h("div", { class: "track" }, h("div", { class: "fill", style: { width: (100 * n) / most + "%" } })),
      h("span", {}, text),
    );
  return h(
    "div",
    { class: "histogram", "aria-label": "votes" },
    Object.entries(counts)
      .sort((x, y) => y[1] - x[1])
      .map(row),
  );
}
