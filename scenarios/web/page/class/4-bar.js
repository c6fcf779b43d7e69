// The bar of the presenter.
const dialog = (name, title, content) => {
  const body = h("div", {}),
    box = h(
      "dialog",
      { class: "panel dialog " + name, "aria-label": title },
      h("form", { method: "dialog" }, h("h2", {}, title), h("button", {}, say("Close"))),
      body,
    );
  document.body.append(box);
  const fill = () => body.replaceChildren(content());
  return {
    box,
    fill,
    open: () => {
      fill();
      box.showModal();
    },
  };
};
const closeDialogs = () => document.querySelectorAll("dialog[open]").forEach((d) => d.close());
// Large type: everything is larger, as the width of the screen allows. The presenter can change it.
const sizes = [1, 1.25, 1.5, 1.75, 2, 2.5];
let size = 0;
const fits = () => sizes.findLastIndex((s) => s <= Math.max(1, innerWidth / 1280));
const resize = (to) => {
  size = Math.max(0, Math.min(to, sizes.length - 1));
  document.body.style.setProperty("--size", sizes[size]);
};
const fullScreen = () =>
  (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});

const bar = {};
function makeBar() {
  const lessons = dialog("lessons", say("Lessons"), courses),
    join = dialog("join", say("Join the class"), joining),
    students = dialog("crowd", say("Students"), studentsPanel),
    reports = dialog("reports", say("Report"), reportPanel);
  const tool = (text, title, act) =>
    h(
      "button",
      {
        title,
        onclick: (e) => {
          act();
          // The keys are those of the film again.
          e.currentTarget.blur();
        },
      },
      text,
    );
  bar.students = tool("", say("who has joined; lock, clear"), students.open);
  bar.playground = tool(say("Playground"), "", () => lead({ do: "playground", on: !now.state.playground }));
  bar.lessons = tool(say("Lessons"), say("choose a lesson (l)"), lessons.open);
  bar.refresh = () => {
    if (lessons.box.open) lessons.fill();
    if (students.box.open) students.fill();
  };
  document.body.prepend(
    h(
      "nav",
      { class: "bar-of-class", "aria-label": say("class") },
      bar.lessons,
      tool(say("Join"), say("the QR code and the address (j)"), join.open),
      bar.students,
      h("span", { class: "gap" }),
      bar.playground,
      tool(say("Report"), say("all votes, to download"), reports.open),
      tool("A−", say("smaller type"), () => resize(size - 1)),
      tool("A+", say("larger type"), () => resize(size + 1)),
      tool(say("Full screen"), say("key {key}", { key: "f" }), fullScreen),
    ),
  );
  const keys = { l: lessons.open, j: join.open, f: fullScreen };
  document.addEventListener("keydown", (e) => {
    if (
      e.ctrlKey ||
      e.metaKey ||
      e.altKey ||
      e.target.matches("input[type=text], select") ||
      document.querySelector("dialog[open]")
    )
      return;
    if (keys[e.key]) keys[e.key]();
  });
  resize(fits());
}
function drawBar() {
  const s = now.state;
  if (!s) return;
  bar.students.textContent = say("{joined} joined · {here} here", s) + (s.locked ? " · " + say("locked") : "");
  const of = config.course.find((c) => c.name === now.lesson);
  const why = !config.playground
    ? say("this server has no playground: make web, or --playground")
    : !of
      ? say("open a lesson first")
      : !of.shipped
        ? say("this lesson does not come with kubestep")
        : "";
  bar.playground.disabled = Boolean(why) && !s.playground;
  bar.playground.title = why || say("the pages of the class become the playground of this lesson");
  bar.playground.textContent = s.playground ? say("Back to the lesson") : say("Playground");
  bar.playground.setAttribute("aria-pressed", String(Boolean(s.playground)));
  bar.refresh();
}
function studentsPanel() {
  const s = now.state;
  const act = (text, command, sure) => h("button", { onclick: () => (!sure || confirm(sure)) && lead(command) }, text);
  return h(
    "div",
    {},
    h("p", { class: "votes" }, say("{joined} joined, {here} connected now", s)),
    h(
      "div",
      { class: "moves" },
      act(s.locked ? say("Unlock the class") : say("Lock the class"), { do: "lock", on: !s.locked }),
      act(say("Clear the class"), { do: "clear" }, say("Forget all students and all votes?")),
    ),
    h(
      "p",
      { class: "dim" },
      say("Locked, nobody else can join. Clear forgets all students and votes: those who are connected join again."),
    ),
    s.crowds && s.crowds.length
      ? h(
          "table",
          {},
          h("tr", {}, h("th", {}, say("address")), h("th", {}, say("students")), h("th", {}, "")),
          s.crowds.map((c) =>
            h(
              "tr",
              {},
              h("td", {}, h("code", {}, c.address)),
              h("td", {}, String(c.students)),
              h(
                "td",
                {},
                act(say("Remove"), { do: "remove", address: c.address }, say("Remove {students} students and their votes?", c)),
              ),
            ),
          ),
        )
      : null,
  );
}
function reportPanel() {
  const day = new Date().toISOString().slice(0, 10);
  const link = (kind, text) => h("a", { href: "/report." + kind + "?" + secret, download: "class-" + day + "." + kind }, text);
  return h(
    "div",
    {},
    h(
      "p",
      {},
      say("All votes so far: for each question the first and the second vote, and how many were right. There are no names in it."),
    ),
    h("p", { class: "moves" }, link("md", say("Download as Markdown")), link("json", say("Download as JSON"))),
    h("p", { class: "dim" }, say("The server keeps nothing when it ends.")),
  );
}
