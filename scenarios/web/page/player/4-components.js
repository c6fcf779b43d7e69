// How many Pod workers of a kubelet are shown.
const mostWorkers = 8;

// Who talks to whom: a lane for each program, and the API server.
function lanes(s, b) {
  const lanes = lesson.programs.map((program, i) => {
    const p = s["program" + i],
      m = p.message;
    const acts = b.actor && (b.actor === program.name || b.actor.startsWith(program.name + "@"));
    const more = [];
    if (p.queue) more.push(h("div", {}, say("queue {keys} · cache", { keys: p.queue }) + " ", h("span", { class: p.stale ? "tone-pending" : "" }, p.cache)));
    if (p.decided) more.push(h("div", {}, p.decided));
    if (p.nodes) more.push(h("div", {}, p.nodes.map((node) => h("span", {}, (node.mark ? node.mark + " " : "") + node.name + " " + (glyphs(node.pods) || "–") + "   "))));
    const workers = p.workers || [];
    for (const w of workers.slice(0, mostWorkers)) {
      const name = (p.nodes.length > 1 ? say("{pod} on {node}", w) : w.pod) + ": ";
      more.push(h("div", {}, name, h("span", { class: w.tone ? "tone-" + w.tone : "" }, w.does)));
    }
    if (workers.length > mostWorkers) more.push(h("div", { class: "dim" }, say("and {n} more Pods", { n: workers.length - mostWorkers })));
    return h(
      "li",
      { class: "lane " + program.role + (p.tone ? " tone-" + p.tone : "") + (acts ? " acts" : "") },
      h("div", { class: "who", title: program.name }, p.mark + " " + program.name, p.about ? h("small", {}, p.about) : null),
      m
        ? h(
            "div",
            { class: ["wire", m.way, m.end, m.current && "current", "tone-" + m.tone].filter(Boolean).join(" ") },
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
    { class: "traffic" },
    h("ul", { class: "lanes" }, lanes),
    h("div", { class: "server" }, h("h2", {}, say("API server")), writes),
  );
}
