// The arithmetic of a sync, and the list of the beats.
function sums(s) {
  if (asked()) return hidden("The arithmetic");
  if (!s.sum) return h("p", { class: "dim" }, "No controller has decided anything yet that is explained in numbers.");
  return h(
    "div",
    { class: "sum" },
    h("h2", {}, s.sum.title),
    s.sum.steps.map((step, i) =>
      h(
        "div",
        {},
        h("h3", {}, i + 1 + ". " + step.title, step.function ? h("code", { class: "dim" }, "  " + step.function) : null),
        h(
          "table",
          {},
          step.lines.map((line) =>
            h(
              "tr",
              {},
              line.map((cell) => h("td", {}, cell)),
            ),
          ),
        ),
      ),
    ),
    h("p", {}, h("b", {}, s.sum.verdict)),
  );
}
const sentence = (b) =>
  b.note ||
  (b.ask && b.ask.question) ||
  (b.answer && b.answer.text) ||
  [b.actor, b.verb, b.object, b.detail, result(b)].filter(Boolean).join(" ");
function story() {
  const limit = openAsk(),
    list = h("ol", { class: "story", "aria-label": "story" });
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
