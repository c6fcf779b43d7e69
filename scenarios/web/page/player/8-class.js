// A class: the host of the page (scenarios/web/page/class) talks to the server, and this is what the player shows of it.
const sum = (tally) => Object.values(tally || {}).reduce((a, n) => a + n, 0);
const votesOf = (step) => room.tally(step).map(sum);

// What a student reads about the own vote.
const invitations = {
  vote: say("Your answer can be changed until the presenter continues."),
  discuss: say("The first vote is over. Discuss your answer with your neighbors: there is a second vote."),
  again: say("This is the second vote. Choose again, the same answer or another one."),
  closed: say("This vote is over."),
};
function receipt(step) {
  const phase = room.phase(step),
    ballot = room.ballot(step),
    [first, second] = room.mine(step),
    said = phase === "again" ? second : second || first;
  const lines = [];
  if (ballot && ballot.trouble) lines.push(say("Not sent: {trouble}.", ballot));
  else if (ballot && ballot.sending) lines.push(say("Sending: {text}…", ballot));
  else if (said) lines.push(say("You answered: {said}", { said }));
  if (phase === "again" && first) lines.push(say("Your first answer: {said}", { said: first }));
  if (phase !== "vote" || !said) lines.push(invitations[phase]);
  return lines;
}

// What a student sees in place of the choices' meaning, and the presenter beside them.
function ballot(b) {
  return presenter ? pollOf(b) : paper(b);
}
function paper(b) {
  const step = b.ask.step,
    choices = b.ask.choices || [],
    phase = room.phase(step),
    open = phase === "vote" || phase === "again",
    [first, second] = room.mine(step),
    sent = room.ballot(step),
    said = sent ? sent.text : phase === "again" ? second : second || first;
  const form = (e) => {
    e.preventDefault();
    if (e.target.said.value.trim()) room.vote(step, e.target.said.value.trim());
  };
  return [
    choices.length
      ? h(
          "div",
          { class: "choices" },
          choices.map((c, i) =>
            h(
              "button",
              {
                class: c === said ? "main" : "",
                "aria-pressed": String(c === said),
                disabled: !open,
                onclick: () => room.vote(step, c),
              },
              String.fromCharCode(65 + i) + "  " + c,
            ),
          ),
        )
      : h(
          "form",
          { onsubmit: form },
          h("input", { type: "text", name: "said", maxlength: 80, disabled: !open, "aria-label": say("your answer") }),
          " ",
          h("button", { disabled: !open }, say("Answer")),
        ),
    h(
      "div",
      { role: "status", class: "receipt" + (sent && sent.trouble ? " wrong" : "") },
      receipt(step).map((line) => h("p", { class: line === invitations[phase] && phase !== "vote" ? "call" : "" }, line)),
    ),
  ];
}

// The presenter continues with a question: discuss, vote again, show the answer. The votes are hidden, since the class sees this page.
const shown = new Set();
function pollOf(b) {
  const step = b.ask.step,
    phase = room.phase(step),
    choices = b.ask.choices || [],
    votes = votesOf(step);
  const to = (text, next, main) => h("button", { class: main ? "main" : "", onclick: () => room.go(step, next) }, text);
  const show = (on) => () => {
    if (on) shown.add(step);
    else shown.delete(step);
    draw();
  };
  const moves = {
    vote: [to(say("Discuss"), "discuss", true)],
    discuss: [to(say("Vote again"), "again", true)],
    again: [],
    closed: [
      h(
        "button",
        {
          onclick: () => {
            me.answers.delete(step);
            shown.delete(step);
            room.go(step, "vote");
          },
        },
        say("Ask again"),
      ),
    ],
  };
  const revealing = h(
    "button",
    { class: phase === "again" || phase === "closed" ? "main" : "", onclick: () => answer("") },
    say("Show the answer"),
  );
  return [
    shown.has(step)
      ? histogram(step, choices, null)
      : h(
          "ol",
          { class: "letters" },
          choices.map((c) => h("li", {}, c)),
        ),
    h(
      "p",
      { class: "votes", role: "status" },
      h("b", {}, String(votes[phase === "again" ? 1 : 0])),
      " " + (room.here() === 1 ? say("of {n} student voted", { n: 1 }) : say("of {n} students voted", { n: room.here() })),
    ),
    phase === "discuss" ? h("p", { class: "call" }, say("Discuss your answer with your neighbors.") + " ", agreement(step)) : null,
    phase === "again" ? h("p", { class: "call" }, say("Second vote. In the first one, {n} voted.", { n: votes[0] })) : null,
    h(
      "div",
      { class: "moves" },
      moves[phase],
      revealing,
      h("button", { onclick: show(!shown.has(step)) }, shown.has(step) ? say("Hide the votes") : say("Show the votes")),
    ),
  ];
}
// How much a class agrees does not tell on what.
function agreement(step) {
  const [first] = room.tally(step),
    all = sum(first);
  return all ? say("{percent}% gave the same answer.", { percent: Math.round((100 * Math.max(...Object.values(first))) / all) }) : "";
}

// How many gave which answer: the choices in their order, then what else was answered, the most frequent first. The first and the second
// vote are beside each other, on one scale. Right is the right answer, null as long as it is not to be seen.
function histogram(step, choices, right) {
  const tallies = room.tally(step),
    rounds = sum(tallies[1]) ? [0, 1] : [0];
  const votes = (text, round) => (tallies[round] || {})[text] || 0;
  const all = rounds.map((round) => sum(tallies[round]));
  const texts = new Set([
    ...choices,
    ...rounds.flatMap((round) =>
      Object.entries(tallies[round] || {})
        .sort((x, y) => y[1] - x[1])
        .map(([text]) => text),
    ),
  ]);
  const bar = (text, round) => {
    const share = all[round] ? votes(text, round) / all[round] : 0;
    return h(
      "td",
      {},
      h(
        "div",
        { class: "share" },
        h("div", { class: "track" }, h("div", { class: "fill", style: { width: 100 * share + "%" } })),
        h("span", {}, Math.round(100 * share) + "%"),
        h("small", { class: "dim" }, String(votes(text, round))),
      ),
    );
  };
  const rights = (round) => {
    let n = 0;
    for (const text of texts) if (same(text, right)) n += votes(text, round);
    return all[round] ? Math.round((100 * n) / all[round]) + "%" : "0%";
  };
  const titles = rounds.length > 1 ? [say("First vote"), say("Second vote")] : [say("Votes")];
  return h(
    "div",
    { class: "histogram", role: "group", "aria-label": say("votes") },
    right !== null && all[0]
      ? h(
          "p",
          { class: "votes" },
          h("b", {}, rounds.map(rights).join(" → ")),
          " " + (rounds.length > 1 ? say("right, after the discussion") : say("right")),
        )
      : null,
    h(
      "table",
      {},
      h(
        "tr",
        {},
        h("th", {}, ""),
        rounds.map((round) => h("th", { scope: "col" }, titles[round] + " · " + all[round])),
      ),
      [...texts].map((text, i) => {
        const isRight = right !== null && same(text, right);
        return h(
          "tr",
          { class: isRight ? "tone-ready" : right === null ? "tone-now" : "tone-dim" },
          h(
            "th",
            { scope: "row" },
            (i < choices.length ? String.fromCharCode(65 + i) + "  " : "") + text,
            isRight ? h("b", { class: "right" }, " ✓ " + say("right")) : null,
          ),
          rounds.map((round) => bar(text, round)),
        );
      }),
    ),
  );
}
