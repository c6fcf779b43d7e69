// Who talks to whom: a lane for each component, and the API server.
function stage(s, b) {
  const lanes = lesson.lanes.map((lane, i) => {
    const l = s["lane" + i] || {},
      m = l.message;
    const mark = { dead: "✕", paused: "‖", standby: "○" }[l.process] || "●";
    const kind = !m
      ? ""
      : ["wire", m.watch && "watch", m.refused && "refused", m.held && "held", m.current && "current"].filter(Boolean).join(" ");
    const more = [];
    if (lane.role === "controller") {
      more.push(
        h(
          "div",
          {},
          "queue " + (l.queue || "empty") + " · cache ",
          l.stale ? h("span", { class: "stale" }, l.cache) : l.cache || "up to date",
        ),
      );
      if (l.decided) more.push(h("div", {}, asked() ? "what it decides is part of the question" : l.decided));
    }
    if (lane.role === "kubelet")
      more.push(
        h(
          "div",
          {},
          (s.nodes || []).map(([name, pods]) =>
            h("span", {}, (name || "no node yet") + " " + ([...pods].map((p) => phase[p].glyph).join("") || "–") + "   "),
          ),
        ),
      );
    const acts = b.actor && (b.actor === lane.name || b.actor.startsWith(lane.name + "@"));
    return h(
      "li",
      { class: "lane " + lane.role + " " + (l.process || "") + (acts ? " acts" : "") },
      h("div", { class: "who", title: lane.name }, mark + " " + lane.name, l.about ? h("small", {}, l.about) : null),
      m
        ? h(
            "div",
            { class: kind },
            m.text,
            h("div", { class: "line" }, h("span", { class: "dot" })),
            m.detail ? h("div", {}, m.detail) : null,
          )
        : h("div", {}),
      more.length ? h("div", { class: "more" }, more) : null,
    );
  });
  const writes = [];
  for (let i = me.at; i >= 0 && writes.length < 14; i--)
    for (const w of [...(beats[i].writes || [])].reverse()) writes.push(h("div", { class: i === me.at ? "current" : "" }, w));
  return h(
    "div",
    { class: "stage" },
    h("ul", { class: "lanes" }, lanes),
    h("div", { class: "server" }, h("h2", {}, "API server"), writes),
  );
}
