// What there is to see before a lesson is open: for students that they are in, for the presenter how they get in and what can be opened.
const svg = (name, attributes, ...children) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
};
// The QR code of an address, black on white in any theme: scanners need that.
const picture = (door) =>
  svg(
    "svg",
    {
      class: "qr",
      viewBox: "0 0 " + door.width + " " + door.width,
      role: "img",
      "aria-label": say("QR code of {url}", door),
      "shape-rendering": "crispEdges",
    },
    svg("rect", { width: door.width, height: door.width, fill: "#fff" }),
    svg("path", { d: door.code, fill: "#000" }),
  );
let door = 0;
function joining() {
  const at = config.doors[door];
  return h(
    "section",
    { class: "joining", "aria-label": say("how to join") },
    picture(at),
    h(
      "div",
      {},
      h("p", { class: "address" }, at.host),
      h("p", {}, say("code") + " ", h("b", { class: "code" }, config.code)),
      config.doors.length > 1
        ? h(
            "label",
            {},
            say("Another network:") + " ",
            h(
              "select",
              {
                onchange: (e) => {
                  door = Number(e.target.value);
                  document.querySelectorAll(".joining").forEach((old) => old.replaceWith(joining()));
                },
              },
              config.doors.map((d, i) => h("option", { value: i, selected: i === door }, d.host.replace("http://", ""))),
            ),
          )
        : null,
    ),
  );
}
function courses() {
  const units = new Map();
  for (const c of config.course) units.set(c.unit || "", [...(units.get(c.unit || "") || []), c]);
  const opening = now.state && now.state.opening;
  return h(
    "div",
    { class: "courses" },
    [...units].flatMap(([unit, lessons]) => [
      unit ? h("h2", {}, unit) : null,
      h(
        "ol",
        {},
        lessons.map((c) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                class: c.name === opening || c.name === now.lesson ? "main" : "",
                "aria-busy": String(c.name === opening),
                onclick: () => {
                  closeDialogs();
                  lead({ do: "open", lesson: c.name });
                },
              },
              h("b", {}, c.title),
              h("small", {}, c.name === opening ? say("opening…") : c.name === now.lesson ? say("open") : c.level || ""),
            ),
          ),
        ),
      ),
    ]),
  );
}
const crowd = () =>
  now.state && now.state.joined === 1
    ? say("{n} student has joined", { n: 1 })
    : say("{n} students have joined", { n: now.state ? now.state.joined : 0 });

let drawn = "";
function lobby() {
  const trouble = now.lost
    ? say("No connection to the server. This page tries again.")
    : now.trouble || (now.state && now.state.trouble) || "";
  // What has not changed stays as it is, with its focus.
  const is = JSON.stringify([
    trouble,
    leading && crowd(),
    leading && now.state && now.state.opening,
    now.state && now.state.lesson,
  ]);
  if (is === drawn && app.querySelector(".lobby")) return;
  drawn = is;
  const trouble_ = trouble ? h("p", { class: "wrong", role: "alert" }, trouble) : null;
  if (!leading) {
    const waiting =
      now.state && now.state.lesson ? say("The lesson opens.") : say("The presenter opens a lesson soon. Keep this page open.");
    return app.replaceChildren(
      h(
        "main",
        { class: "lobby" },
        h("h1", {}, config.title),
        trouble_ || h("p", { class: "in right" }, now.state ? "✓ " + say("You are in.") : say("Joining…")),
        h("p", {}, waiting),
      ),
    );
  }
  app.replaceChildren(
    h(
      "main",
      { class: "lobby presents" },
      h("div", {}, h("h1", {}, config.title), trouble_, h("p", { class: "votes", role: "status" }, crowd()), joining()),
      h("section", { "aria-label": say("lessons") }, courses()),
    ),
  );
}
const origin = () =>
  leading
    ? h(
        "p",
        { class: "dim" },
        say("This is the real kube-controller-manager {version}.", { version: now.data.kubernetes || "" }).replace(" .", "."),
      )
    : h("p", { class: "dim" }, say("This page follows the presenter."));
