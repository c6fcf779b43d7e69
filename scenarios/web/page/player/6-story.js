// One sync of a controller, stage by stage.
function loop(s) {
  const l = s.loop;
  if (l.hidden) return h("p", { class: "dim" }, l.hidden);
  return h(
    "div",
    { class: "loop" },
    h("h2", {}, say("{actor}, sync {number} of {of}", l)),
    h(
      "ol",
      { class: "pipeline" },
      l.stages.map((stage) => h("li", { class: "tone-" + stage.tone, "aria-current": stage.tone === "now" ? "step" : null }, stage.name)),
    ),
    h(
      "dl",
      {},
      l.stages.flatMap((stage) => [
        h("dt", {}, stage.name),
        h("dd", {}, stage.lines.map((line) => h("div", { class: line.tone ? "tone-" + line.tone : "" }, line.text))),
      ]),
    ),
  );
}
// What a controller changed, the arithmetic of a sync, and the list of the beats.
function sums(s) {
  const sum = lesson.sums[s["sum" + (hasWork ? me.work : 0)]];
  if (sum.hidden) return h("p", { class: "hidden" }, sum.hidden);
  return h(
    "div",
    { class: "sum" },
    h("h2", {}, sum.title),
    sum.steps.map((step, i) =>
      h(
        "div",
        {},
        h("h3", {}, i + 1 + ". " + step.title, step.function ? h("code", { class: "dim" }, "  " + step.function) : null),
        h("table", {}, step.lines.map((line) => h("tr", {}, line.map((cell) => h("td", {}, cell))))),
      ),
    ),
    h("p", {}, h("b", {}, sum.verdict)),
  );
}
// A table with a line for each sync that changed something. What goes on after an open question would tell its answer.
function decisions(s) {
  return h("div", {}, hasWork ? changes() : null, sums(s));
}
function changes() {
  const { head, rows: all } = lesson.decisions[me.work],
    limit = openAsk(),
    here = beats[me.at].seq,
    until = limit === undefined ? Infinity : beats[limit].seq;
  const rows = all.filter((row) => until === Infinity || (row.end && row.end <= until));
  if (!rows.length) return h("p", { class: "dim" }, say("Its controller has not changed anything yet."));
  const at = rows.findLastIndex((row) => row.seq <= here);
  const beatOf = (row) => beats.findLastIndex((b) => b.seq <= row.seq);
  return h(
    "div",
    { class: "decisions" },
    picker(),
    table(
      head,
      rows.map((row, i) =>
        h(
          "tr",
          { class: i > at ? "dim" : "", "aria-current": i === at ? "true" : null, onclick: () => student || go(Math.max(0, beatOf(row))) },
          row.cells.map((cell) => h("td", {}, cell)),
        ),
      ),
    ),
  );
}
const sentence = (b) =>
  b.note ||
  (b.ask && b.ask.question) ||
  (b.answer && b.answer.text) ||
  [b.actor, b.verb, b.object, b.detail, result(b)].filter(Boolean).join(" ");
function story() {
  const limit = openAsk(),
    list = h("ol", { class: "story", "aria-label": say("story"), tabindex: 0 });
  const last = limit === undefined ? beats.length - 1 : limit,
    from = Math.max(0, me.at - 60),
    to = Math.min(last, me.at + 60);
  for (let i = from; i <= to; i++) {
    const b = beats[i],
      step = b.kind === "action";
    list.append(
      h(
        "li",
        {
          class: (b.kind === "decision" ? "decision" : step ? "step" : "") + (b.failed ? " failed" : ""),
          "aria-current": i === me.at ? "true" : null,
          onclick: () => student || go(i),
        },
        h("span", { class: "dim mono" }, time(b.t)),
        tells(b)
          ? h("em", {}, sentence(b).split("\n")[0])
          : h(
              "span",
              {},
              h("b", {}, b.actor || ""),
              " " + [b.verb, b.object].filter(Boolean).join(" ") + " ",
              h("span", { class: "dim" }, [b.detail, result(b)].filter(Boolean).join(" · ")),
            ),
      ),
    );
  }
  if (to < last) list.append(h("li", {}, h("span"), h("span", { class: "dim" }, "…")));
  return list;
}
