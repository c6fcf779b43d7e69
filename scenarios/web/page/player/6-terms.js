// The glossary: the terms that the lesson uses, those of the screen first.
const found = h("div", { class: "found" });
const search = h("input", { type: "text", "aria-label": say("search the glossary"), placeholder: say("search"), oninput: () => list() });
const glossary = h(
  "dialog",
  { class: "panel glossary", "aria-label": say("glossary") },
  h(
    "form",
    { method: "dialog" },
    h("h2", {}, say("Glossary")),
    search,
    " ",
    h("button", { "aria-label": say("close the glossary") }, say("Close")),
  ),
  found,
);
function list() {
  const said = search.value.trim().toLowerCase(),
    seen = grid.textContent.toLowerCase();
  const terms = (lesson.terms || []).filter((t) => [t.name, ...(t.also || [])].some((name) => name.toLowerCase().includes(said)));
  const here = terms.filter((t) => [t.name, ...(t.also || [])].some((name) => seen.includes(name.toLowerCase())));
  const entry = (t) => [
    h("dt", {}, t.name),
    h("dd", {}, t.meaning, t.link ? [" ", h("a", { href: t.link, rel: "noreferrer", target: "_blank" }, say("More"))] : null),
  ];
  found.replaceChildren(
    ...[
      here.length ? [h("h3", {}, say("On this screen")), h("dl", {}, here.flatMap(entry))] : [],
      terms.length > here.length ? [h("h3", {}, say("In this lesson")), h("dl", {}, terms.filter((t) => !here.includes(t)).flatMap(entry))] : [],
      terms.length ? [] : [h("p", { class: "dim" }, say("No term of this lesson has these letters."))],
    ].flat(),
  );
}
function explain() {
  if (glossary.open) return glossary.close();
  stop();
  search.value = "";
  list();
  glossary.showModal();
}
