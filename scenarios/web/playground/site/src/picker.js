// The scenarios that come with kubestep: the lessons first, and all others behind a search.
import { h } from "player";

const groups = {
  lessons: "The course",
  practice: "Practice: clusters to repair and to change",
  controllers: "Each controller at work",
  bugs: "Bugs and surprises of real controllers",
  conformance: "What real clusters did",
};

// picker is a button and the dialog behind it. chosen is called with a scenario.
export function picker(chosen) {
  let scenarios = [];
  const search = h("input", {
    type: "search",
    "aria-label": "search in names, titles and descriptions",
    placeholder: "Search: rolling, StatefulSet, eviction …",
    oninput: () => draw(),
    onkeydown: (e) => {
      const first = list.querySelector("button");
      // The button that gets the focus back would take the key, too.
      if (e.key === "Enter" && first) (e.preventDefault(), first.click());
      if (e.key === "ArrowDown" && first) (e.preventDefault(), first.focus());
    },
  });
  const count = h("p", { class: "dim", role: "status" });
  const list = h("div", { class: "scenarios", onkeydown: (e) => arrows(e, list, search) });
  const close = h("button", { onclick: () => dialog.close(), "aria-label": "close" }, "✕");
  const dialog = h(
    "dialog",
    { class: "picker", "aria-label": "scenarios", onclick: (e) => e.target === dialog && dialog.close() },
    h("div", { class: "head" }, search, close),
    count,
    list,
  );
  const entry = (s) =>
    h(
      "button",
      { "data-name": s.name, onclick: () => (dialog.close(), chosen(s)) },
      h("b", {}, [s.number, s.title || s.name].filter(Boolean).join(" ")),
      h("small", {}, [s.name, s.topic, s.level].filter(Boolean).join(" · ")),
    );
  const draw = () => {
    const phrase = search.value.toLowerCase().trim(),
      words = phrase.split(/\s+/).filter(Boolean);
    const found = scenarios.filter((s) => words.every((word) => s.search.includes(word)));
    count.textContent = scenarios.length ? `${found.length} of ${scenarios.length} scenarios` : "The scenarios are being loaded.";
    const section = (title, of) => (of.length ? [h("h2", {}, title), h("div", { class: "entries" }, of.map(entry))] : []);
    if (phrase) {
      // Those that are called so come first.
      const rank = (s) => (s.name === phrase ? 0 : (s.name + " " + s.title).toLowerCase().includes(phrase) ? 1 : 2);
      return list.replaceChildren(
        ...section(
          "Found",
          [...found].sort((a, b) => rank(a) - rank(b)),
        ),
      );
    }
    // The lessons of the course have a section for each unit, in their order.
    const units = [...new Set(found.map((s) => s.unit).filter(Boolean))];
    list.replaceChildren(
      ...units.flatMap((unit) =>
        section(
          groups.lessons + ": " + unit,
          found.filter((s) => s.unit === unit),
        ),
      ),
      ...Object.entries(groups).flatMap(([group, title]) =>
        section(
          title,
          found.filter((s) => s.group === group && !s.unit),
        ),
      ),
    );
  };
  const button = h(
    "button",
    {
      id: "pick",
      "aria-haspopup": "dialog",
      onclick: () => {
        draw();
        dialog.showModal();
        search.select();
      },
    },
    "Scenarios",
  );
  document.body.append(dialog);
  return {
    button,
    fill: (all) => {
      const text = (s) => [s.name, s.number, s.unit, s.title, s.topic, s.level, s.about].filter(Boolean).join(" ").toLowerCase();
      scenarios = all.map((s) => ({ ...s, search: text(s) }));
      if (dialog.open) draw();
    },
    named: (name) => scenarios.find((s) => s.name === name),
    withText: (text) => scenarios.find((s) => s.text === text),
    say: (text) => button.replaceChildren(h("span", {}, text), h("span", { "aria-hidden": "true" }, " ▾")),
  };
}

// arrows moves between the entries, and from the first one back to the search.
function arrows(e, list, search) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (!by) return;
  e.preventDefault();
  const all = [...list.querySelectorAll("button")],
    next = all.indexOf(document.activeElement) + by;
  if (next < 0) search.focus();
  else if (all[next]) all[next].focus();
}
