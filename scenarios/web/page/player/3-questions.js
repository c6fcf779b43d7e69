// The questions of a lesson: answers, the score, and the cards.
const same = (a, b) => {
  const plain = (s) => s.trim().toLowerCase().split(/\s+/).join(" ");
  return plain(a) === plain(b) || (a.trim() !== "" && Number(a) === Number(b));
};
function answer(text) {
  me.answers.set(beats[me.at].ask.step, text);
  me.playing = true;
  draw();
  advance(0);
}
const score = (until) => {
  let right = 0,
    of = 0;
  const missed = [];
  for (const [step, said] of me.answers) {
    const i = beats.findIndex((b) => b.answer && b.answer.step === step);
    if (i < 0 || i > until || said === "") continue;
    of++;
    if (same(said, beats[i].answer.text)) right++;
    else missed.push([beats.find((b) => b.ask && b.ask.step === step).ask.question, said, beats[i].answer.text]);
  }
  return { right, of, missed };
};
const choicesOf = (step) => beats.find((b) => b.ask && b.ask.step === step).ask.choices || [];
// At its end, a lesson of a site notes the score in this browser, for the page that lists all lessons.
function remember() {
  if (me.at < beats.length - 1 || !lesson.up) return;
  const { right, of } = score(me.at),
    key = "kubestep.lessons";
  try {
    const lessons = JSON.parse(localStorage.getItem(key)) || {},
      best = lessons[lesson.name];
    if (!best || right >= best.right) localStorage.setItem(key, JSON.stringify({ ...lessons, [lesson.name]: { right, of } }));
  } catch (e) {
    /* a browser may keep nothing */
  }
}
// A beat as it is read aloud: a question with its choices.
const spoken = (b) =>
  [sentence(b), ...((b.ask && b.ask.choices) || []).map((choice, i) => String.fromCharCode(65 + i) + ": " + choice)].join(" ");
function card(b) {
  if (b.ask) {
    const said = me.answers.get(b.ask.step);
    const choose =
      b.ask.choices && b.ask.choices.length
        ? h(
            "div",
            { class: "choices" },
            b.ask.choices.map((c, i) =>
              h("button", { onclick: () => answer(c), disabled: said !== undefined }, String.fromCharCode(65 + i) + "  " + c),
            ),
          )
        : h(
            "form",
            {
              onsubmit: (e) => {
                e.preventDefault();
                if (e.target.said.value.trim()) answer(e.target.said.value);
              },
            },
            h("input", { type: "text", name: "said", "aria-label": say("your answer"), disabled: said !== undefined }),
            " ",
            h("button", {}, say("Answer")),
          );
    const after =
      said === undefined
        ? h("p", {}, h("button", { onclick: () => answer("") }, say("Skip this question")))
        : h(
            "p",
            { class: "dim" },
            (said === "" ? say("You skipped this question.") : say("Your answer: {said}", { said })) + " ",
            h(
              "button",
              {
                onclick: () => {
                  me.answers.delete(b.ask.step);
                  draw();
                },
              },
              say("Answer it again"),
            ),
          );
    return h(
      "section",
      { class: "panel card", "aria-label": say("question") },
      h("h2", {}, say("What do you think?")),
      prose(b.ask.question),
      room ? ballot(b) : [choose, after],
    );
  }
  if (b.answer) {
    const [first, second] = student ? room.mine(b.answer.step) : [me.answers.get(b.answer.step)],
      said = second || first,
      sc = score(me.at);
    const verdict = !said
      ? student && room.late(b.answer.step)
        ? h("b", { class: "wrong" }, " ✗ " + say("your answer did not arrive in time"))
        : null
      : same(said, b.answer.text)
        ? h("b", { class: "right" }, " ✓ " + say("you were right"))
        : h("b", { class: "wrong" }, " ✗ " + say("your answer: {said}", { said }));
    return h(
      "section",
      { class: "panel card", "aria-label": say("answer") },
      h("h2", {}, say("Answer: {answer}", { answer: b.answer.text }), verdict),
      prose(b.answer.explain),
      sc.of > 1 ? h("p", { class: "dim" }, say("{right} of {of} right so far", sc)) : null,
      presenter ? histogram(b.answer.step, choicesOf(b.answer.step), b.answer.text) : null,
      student ? null : h("button", { class: "main", onclick: play }, say("Continue")),
    );
  }
  if (b.note)
    return h(
      "section",
      { class: "panel card", "aria-label": say("note") },
      prose(b.note),
      student ? null : h("button", { class: "main", onclick: play }, say("Continue")),
    );
  if (me.at === beats.length - 1 && (asks.length || lesson.next)) {
    const sc = score(me.at);
    return h(
      "section",
      { class: "panel card", "aria-label": say("end") },
      h("h2", {}, sc.of ? say("The end: {right} of {of} right", sc) : say("The end")),
      sc.missed.map(([q, said, a]) =>
        h(
          "p",
          {},
          q,
          h("span", { class: "wrong" }, " " + say("Your answer: {said}.", { said })),
          h("span", { class: "right" }, " " + say("The answer: {answer}.", { answer: a })),
        ),
      ),
      lesson.next ? h("p", {}, say("Next:") + " ", h("a", { href: lesson.next }, lesson.nextTitle)) : null,
    );
  }
  return null;
}
