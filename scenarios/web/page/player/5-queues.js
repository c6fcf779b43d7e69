// The work queues of controllers and the caches of informers, a row each.
const partsOf = (s, name) => {
  const parts = [];
  while (s[name + parts.length]) parts.push(s[name + parts.length]);
  return parts;
};
const table = (head, rows) => h("table", {}, h("tr", {}, head.map((cell) => h("th", {}, cell))), rows);

function queues(s) {
  const columns = [say("in the queue"), say("syncing"), say("back-off")];
  const of = (keys) => (keys.length ? keys : ["–"]);
  const key = (k) => (k.key ? h("div", {}, [k.key, k.when, k.retries && say("retry {retries}", k)].filter(Boolean).join(" ")) : k);
  const queue = (q) => {
    const back = [...(q.timers || []), ...(q.backoff || [])];
    const never = (q.unschedulable || []).map((k) => ({ ...k, key: say("unschedulable: {key}", k) }));
    const cells = [q.waiting || [], q.inWork || [], back.concat(never)];
    return h(
      "tr",
      { class: "tone-" + q.tone },
      h("td", marksActor(q.actor) ? { "data-inside": "" } : {}, (marksActor(q.actor) ? "▸ " : "") + [q.actor, q.name].filter(Boolean).join(" ")),
      cells.map((keys, i) => h("td", { title: columns[i] }, of(keys).map(key))),
      h("td", { title: say("syncs") }, q.syncs + (q.requeued ? ", " + say("{n} again", { n: q.requeued }) : "")),
    );
  };
  const cache = (c) => [
    h(
      "tr",
      { class: c.behind ? "" : "tone-dim" },
      [c.informer, c.store, c.cache || say("listed")].map((cell) => h("td", {}, cell)),
      h("td", { class: c.behind ? "tone-pending" : "" }, c.behind ? [c.behind, c.next && say("the next one arrives {next}", c)].filter(Boolean).join(", ") : "–"),
    ),
    ...(c.changes || []).map((seq) => {
      const write = beats.find((b) => b.seq === seq);
      const text = write ? time(write.t) + " " + sentence(write) : say("record {seq}, a routine write", { seq });
      return h("tr", {}, h("td", { colspan: 4 }, "● " + text));
    }),
  ];
  const all = partsOf(s, "queue"),
    caches = partsOf(s, "cache");
  return h(
    "div",
    { class: "queues" },
    all.length ? table([say("controller"), ...columns, say("syncs")], all.map(queue)) : h("p", { class: "dim" }, say("No controller has a queue in this recording.")),
    caches.length
      ? table([say("informer"), say("store rv"), say("cache rv"), say("not seen yet")], caches.flatMap(cache))
      : h("p", { class: "dim" }, say("No informer received an event in this recording.")),
  );
}

// The objects in the store: a line leads from each to those that it owns. Those that the beat wrote stand out, and a
// mark is before those that the scenario directs the reader to.
function objects(s) {
  const focus = direction().focus || [];
  const owned = {};
  lesson.objects.forEach((name, i) => {
    const o = s["object" + i];
    if (o) (owned[o.owner] = owned[o.owner] || []).push(i);
  });
  const written = (i) => me.at > 0 && ("object" + i) in (beats[me.at].state || {});
  const tree = (of) =>
    owned[of]
      ? h(
          "ul",
          {},
          owned[of].map((i) =>
            h(
              "li",
              {},
              h(
                "span",
                { class: written(i) ? "current" : "", ...(marksObject(i) ? { "data-inside": "" } : {}) },
                (focus.includes(i) || marksObject(i) ? "▸ " : "") + lesson.objects[i],
              ),
              h("span", { class: "dim" }, [" rv " + s["object" + i].rv, s["object" + i].note].filter(Boolean).join(" · ")),
              tree(i),
            ),
          ),
        )
      : null;
  return h("div", { class: "objects" }, tree(-1) || h("p", { class: "dim" }, say("The store is empty.")));
}
