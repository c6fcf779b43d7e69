// The bar of the presenter.
const dialog = (name, title, content) => {
  const body = h("div", {}),
    box = h(
      "dialog",
      { class: "panel dialog " + name, "aria-label": title },
      h("form", { method: "dialog" }, h("h2", {}, title), h("button", {}, "Close")),
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
  const lessons = dialog("lessons", "Lessons", courses),
    join = dialog("join", "Join the class", joining),
    students = dialog("crowd", "Students", studentsPanel),
    reports = dialog("reports", "Report", reportPanel);
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
  bar.students = tool("", "who has joined; lock, clear", students.open);
  bar.playground = tool("Playground", "", () => lead({ do: "playground", on: !now.state.playground }));
  bar.lessons = tool("Lessons", "choose a lesson (l)", lessons.open);
  bar.refresh = () => {
    if (lessons.box.open) lessons.fill();
    if (students.box.open) students.fill();
  };
  document.body.prepend(
    h(
      "nav",
      { class: "bar-of-class", "aria-label": "class" },
      bar.lessons,
      tool("Join", "the QR code and the address (j)", join.open),
      bar.students,
      h("span", { class: "gap" }),
      bar.playground,
      tool("Report", "all votes, to download", reports.open),
      tool("A−", "smaller type", () => resize(size - 1)),
      tool("A+", "larger type", () => resize(size + 1)),
      tool("Full screen", "key f", fullScreen),
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
  bar.students.textContent = s.joined + " joined · " + s.here + " here" + (s.locked ? " · locked" : "");
  const of = config.course.find((c) => c.name === now.lesson);
  const why = !config.playground
    ? "this server has no playground: make web, or --playground"
    : !of
      ? "open a lesson first"
      : !of.shipped
        ? "this lesson does not come with kubestep"
        : "";
  bar.playground.disabled = Boolean(why) && !s.playground;
  bar.playground.title = why || "the pages of the class become the playground of this lesson";
  bar.playground.textContent = s.playground ? "Back to the lesson" : "Playground";
  bar.playground.setAttribute("aria-pressed", String(Boolean(s.playground)));
  bar.refresh();
}
function studentsPanel() {
  const s = now.state;
  const act = (text, command, sure) => h("button", { onclick: () => (!sure || confirm(sure)) && lead(command) }, text);
  return h(
    "div",
    {},
    h("p", { class: "votes" }, h("b", {}, String(s.joined)), " joined, ", h("b", {}, String(s.here)), " connected now"),
    h(
      "div",
      { class: "moves" },
      act(s.locked ? "Unlock the class" : "Lock the class", { do: "lock", on: !s.locked }),
      act("Clear the class", { do: "clear" }, "Forget all students and all votes?"),
    ),
    h(
      "p",
      { class: "dim" },
      "Locked, nobody else can join. Clear forgets all students and votes: those who are connected join again.",
    ),
    s.crowds && s.crowds.length
      ? h(
          "table",
          {},
          h("tr", {}, h("th", {}, "address"), h("th", {}, "students"), h("th", {}, "")),
          s.crowds.map((c) =>
            h(
              "tr",
              {},
              h("td", {}, h("code", {}, c.address)),
              h("td", {}, String(c.students)),
              h(
                "td",
                {},
                act("Remove", { do: "remove", address: c.address }, "Remove " + c.students + " students and their votes?"),
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
      "All votes so far: for each question the first and the second vote, and how many were right. There are no names in it.",
    ),
    h("p", { class: "moves" }, link("md", "Download as Markdown"), link("json", "Download as JSON")),
    h("p", { class: "dim" }, "The server keeps nothing when it ends."),
  );
}
