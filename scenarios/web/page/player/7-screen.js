// The screen: its controls, and how it follows keys, fingers and links.
const live = h("div", { class: "quiet", "aria-live": "polite" });
const verdict = lesson.verdict
  ? h("b", { class: lesson.verdict.passed ? "right" : "wrong" }, (lesson.verdict.passed ? "✓ " : "✗ ") + lesson.verdict.word)
  : null;
const top = h(
  "header",
  {},
  lesson.up ? h("a", { href: lesson.up }, lesson.upTitle) : null,
  h("h1", {}, lesson.title || lesson.name),
  (lesson.translations || []).map((other) => h("a", { href: other.href, lang: other.tag, hreflang: other.tag, rel: "alternate" }, other.name)),
  lesson.about || !host.origin
    ? h(
        "details",
        {},
        h("summary", {}, say("What this is about")),
        lesson.about ? prose(lesson.about) : null,
        host.origin
          ? null
          : h(
              "p",
              { class: "dim" },
              say("This is the real kube-controller-manager {version}.", { version: lesson.kubernetes || "" }).replace(" .", ".") + " ",
              lesson.command ? [say("The same on your machine:") + " ", h("code", {}, lesson.command), " · "] : null,
              say("trace hash") + " ",
              h("code", { title: lesson.hash }, lesson.hash.replace("sha256:", "").slice(0, 12)),
              " · " + say("seed {seed}", { seed: lesson.seed >= 0 ? lesson.seed : say("unknown") }),
            ),
      )
    : null,
  // A host that says where the recording comes from says its verdict, too.
  host.origin || verdict,
  lesson.cut ? h("p", { class: "wrong" }, say("The recording is incomplete: {cut}", lesson)) : null,
);
const tabs = h("div", { class: "tabs", role: "tablist" }),
  grid = h("main", { class: "grid" }),
  screen = h("div", { class: "screen" }, grid);
const tabButtons = views.map((v) =>
  h("button", { role: "tab", title: say("key {key}", { key: Object.keys(keyed).find((key) => keyed[key] === v) }), onclick: () => ((me.view = v), draw()) }, names[v]),
);
tabs.append(...tabButtons);
const slider = h("input", {
  type: "range",
  min: 0,
  max: beats.length - 1,
  step: 1,
  "aria-label": say("place in the film"),
  oninput: (e) => go(Number(e.target.value)),
});
const ticks = h("div", { class: "ticks", "aria-hidden": "true" });
beats.forEach((b, i) => {
  if (b.kind === "decision" || tells(b))
    ticks.append(h("i", { class: tells(b) ? "note" : "", style: { left: (100 * i) / Math.max(beats.length - 1, 1) + "%" } }));
});
const button = (text, label, act, more) =>
  h("button", Object.assign({ "aria-label": label, title: label, onclick: act }, more), text);
const playing = button("▶", say("play or pause (space)"), play, { class: "main" });
const clock = h("span", { class: "time" });
const speed = h(
  "select",
  {
    "aria-label": say("speed"),
    onchange: (e) => {
      me.speed = Number(e.target.value);
      draw();
    },
  },
  speeds.map((x, i) => h("option", { value: i, selected: i === me.speed }, "×" + x)),
);
app.append(
  top,
  ...[branchHead()].filter(Boolean),
  tabs,
  screen,
  live,
  h(
    "div",
    { class: "controls" },
    h(
      "div",
      {},
      h("div", { class: "scrub" }, ticks, slider),
      h(
        "div",
        { class: "buttons" },
        button("◆‹", say("previous decision ([)"), () => jump(-1, decides)),
        button("‹", say("one beat back (←)"), () => go(me.at - 1)),
        playing,
        button("›", say("one beat on (→)"), () => go(me.at + 1)),
        button("›◆", say("next decision (])"), () => jump(1, decides)),
        speed,
        button("◐", say("light or dark (d)"), toggleTheme, { class: "optional" }),
        branches.length && !chosen ? button(branchTexts.alone, branchTexts.all, toggleBranches, { class: "whatif" }) : null,
        button(say("Glossary"), say("Glossary: what the words mean (K)"), explain),
        clock,
      ),
    ),
  ),
);

app.append(glossary);

// What is said stays above the controls, which have two rows on a phone.
const controls = app.querySelector(".controls");
const fitControls = () => app.style.setProperty("--controls", Math.ceil(controls.getBoundingClientRect().height) + "px");
addEventListener("resize", () => (fitControls(), draw()), { signal: over.signal });

// A card that opens must be seen: on a phone it is below the screen, or under the controls. A card that is seen already does not move,
// and one that is higher than the screen begins at its top. Nothing moves smoothly: the text of the card changes as well.
let opened = 0;
function reveal(panel) {
  if (me.at === opened) return;
  opened = me.at;
  if (!panel) return;
  const under = app.querySelector(".controls").offsetHeight + 8;
  panel.style.scrollMarginBottom = under + "px";
  const fits = panel.offsetHeight + under < innerHeight;
  panel.scrollIntoView({ block: fits ? "nearest" : "start", behavior: "instant" });
}

function draw() {
  fitControls();
  const b = beats[me.at],
    s = sceneAt(me.at);
  tabButtons.forEach((tab, i) => tab.setAttribute("aria-selected", String(views[i] === me.view)));
  const main = {
    stage: () => clusterStage(s),
    components: () => lanes(s, b),
    rollout: () => rollouts(s),
    loop: () => loop(s),
    queues: () => queues(s),
    objects: () => objects(s),
    decisions: () => decisions(s),
    trace: () => story(),
  }[me.view]();
  // Beside another run, each has its own sentence.
  const compares = me.beside && me.view === "rollout";
  const now = asked() || compares ? null : s["now" + me.work];
  const said = h(
    "section",
    { class: "panel now" },
    h("div", {}, h("b", { class: "mono" }, time(b.t)), " " + (tells(b) ? "" : sentence(b))),
    now && hasWork ? h("div", {}, h("span", { class: "dim" }, say("{workload} now:", { workload: lesson.workloads[me.work] }) + " "), now) : null,
  );
  const opens = card(b);
  // A question that is open says all there is to say.
  const beside = [opens, asked() ? null : said, me.view === "trace" ? null : h("section", { class: "panel optional" }, story())].filter(Boolean);
  const staged = me.view === "stage",
    reading = reads();
  const turn = camera();
  grid.classList.toggle("wide", Boolean(compares) || staged);
  if (staged)
    grid.replaceChildren(
      ...[
        h("section", { class: "panel stagepanel", role: "tabpanel", "aria-label": names[me.view] }, main, attempted() || strip(s)),
        h("div", { class: "sheet" }, opens || caption(s, b)),
        details(s),
        branchDetails(),
      ].filter(Boolean),
    );
  else
    grid.replaceChildren(
      h("section", { class: "panel", role: "tabpanel", "aria-label": names[me.view] }, wayBack(), main),
      h("div", { class: "grid", style: { "grid-template-columns": "minmax(0, 1fr)", "align-content": "start" } }, beside, branchDetails()),
    );
  if (staged) {
    travel(main, b);
    turn();
  }
  // The list is made anew. A reader who scrolls it by the keyboard stays in it.
  const list = reading && grid.querySelector(".story");
  if (list) list.focus({ preventScroll: true });
  const current = grid.querySelectorAll(".story li[aria-current]");
  current.forEach((li) => {
    const box = li.parentElement;
    box.scrollTop = li.offsetTop - box.offsetTop - box.clientHeight / 2;
  });
  // On the stage, a card is above the controls already.
  if (staged) opened = me.at;
  else reveal(opens);
  slider.value = me.at;
  slider.setAttribute("aria-valuetext", time(b.t));
  playing.textContent = me.playing ? "❚❚" : "▶";
  if (presenter) room.lead(me.at);
  const parts = [room && room.lost && (student ? say("no connection to the presenter") : say("no connection to the server")), time(b.t), pace(), say("{at} of {of}", { at: me.at + 1, of: beats.length })];
  clock.textContent = parts.filter(Boolean).join(" · ");
  remember();
  if (!me.playing) {
    live.textContent = time(b.t) + " " + spoken(b);
    host.moved(placed());
  }
}

const keys = {
  " ": play,
  ArrowRight: () => go(me.at + 1),
  ArrowLeft: () => go(me.at - 1),
  n: () => go(me.at + 1),
  p: () => go(me.at - 1),
  "]": () => jump(1, decides),
  "[": () => jump(-1, decides),
  Home: () => go(0),
  End: () => go(beats.length - 1),
  "+": () => {
    me.speed = Math.min(me.speed + 1, speeds.length - 1);
    speed.value = me.speed;
    draw();
  },
  "-": () => {
    me.speed = Math.max(me.speed - 1, 0);
    speed.value = me.speed;
    draw();
  },
  d: toggleTheme,
  w: toggleBranches,
  Escape: lookBack,
  K: explain,
};
// Keys are those of the player unless another part of the page has them.
const onKey = (e) => {
  if (glossary.open || e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input[type=text], select")) return;
  if (e.target !== document.body && !app.contains(e.target)) return;
  if (e.target.matches("button") && (e.key === " " || e.key === "Enter")) return;
  const b = beats[me.at],
    letter = /^[a-h]$/i.test(e.key) ? e.key.toLowerCase().charCodeAt(0) - 97 : -1;
  if (asked() && b.ask.choices && letter >= 0 && letter < b.ask.choices.length && !presenter) {
    e.preventDefault();
    return student ? room.vote(b.ask.step, b.ask.choices[letter]) : answer(b.ask.choices[letter]);
  }
  if (/^[0-9]$/.test(e.key) && views.includes(keyed[e.key])) {
    me.view = keyed[e.key];
    return draw();
  }
  if (keys[e.key] && (!student || e.key === "d" || e.key === "Escape")) {
    e.preventDefault();
    keys[e.key]();
  }
};
document.addEventListener("keydown", onKey, { signal: over.signal });
let touch = null;
grid.addEventListener(
  "touchstart",
  (e) => {
    touch = e.touches.length === 1 ? e.touches[0] : null;
  },
  { passive: true },
);
grid.addEventListener("touchend", (e) => {
  if (!touch) return;
  const dx = e.changedTouches[0].clientX - touch.clientX,
    dy = e.changedTouches[0].clientY - touch.clientY;
  touch = null;
  if (!student && Math.abs(dx) > 60 && Math.abs(dx) > 2 * Math.abs(dy)) go(me.at + (dx < 0 ? 1 : -1));
});
