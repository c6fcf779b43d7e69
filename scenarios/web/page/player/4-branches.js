// Branches: what would have happened otherwise. The lesson has prepared some with their runs, and each names the things of the stage that
// offer it. The host shows the run of one in place of that of the lesson, and the other way round.
const branchTexts = {
  offer: say("What if …"),
  none: say("Nothing is prepared for it. Things with a marked corner have a branch."),
  looks: say("The engine looks what may be done to it …"),
  nobody: say("Nothing can be done to it."),
  all: say("What if …? Branches that this lesson has prepared (w)"),
  alone: say("What if …?"),
  choose: say("Point at a thing of the stage with a marked corner, or choose here."),
  was: say("as it was"),
  is: say("what if"),
  leave: say("back to the lesson"),
  asks: say("Answer the question first."),
  added: (b) => say("At {time}, in addition: {step}", { time: time(b.t), step: b.step }),
  parts: say("Where the two runs diverge"),
  nothing: say("nothing more happens"),
  end: say("At the end"),
  same: say("At the end, both runs are the same: the controllers got there on another way."),
};
const compared = host.compared || null;
// A student sees the branches that the presenter chooses.
const branches = (compared && !student && lesson.branches) || [];
const chosen = compared && compared.chosen >= 0 ? lesson.branches[compared.chosen] : null;
// The branches of a thing. A Pod is the same thing in the store and on its node.
const offersOf = (kind, index) => {
  const name = (kind === "seat" ? "thing" : kind) + index;
  return branches.filter((b) => b.of.includes(name));
};
// Those of a message: of the program or the node at its one end, and of the object at the other.
const offersOfMove = (m) => {
  const ends = ["player" + m.program, "thing" + m.about, "machine" + lesson.machines.indexOf(m.node || "")];
  return branches.filter((b) => b.of.some((name) => ends.includes(name)));
};
const marked = (kind, index) => (!chosen && offersOf(kind, index).length ? " offers" : "");

// openBranch shows a branch from its beginning, or the run of the lesson beside it at the same time.
function openBranch(index, shown, place) {
  stop();
  compared.open(place, index, shown, { answers: me.answers, speed: me.speed });
}
const offer = (b) =>
  h(
    "li",
    {},
    h("button", { class: "offer", disabled: Boolean(asked()), onclick: () => openBranch(branches.indexOf(b), true, "t=" + b.t) }, b.title),
  );

// A host with an engine is asked what may be done to a thing, and makes any branch. It is asked once for a thing at a beat.
const asksHost = new Map();
function offeredByHost(name) {
  if (!host.touch || asked() || me.playing) return null;
  const record = beats[me.at].seq,
    key = name + " " + record;
  if (!asksHost.has(key)) {
    asksHost.set(key, null);
    const told = (offers) => (asksHost.set(key, offers), over.signal.aborted || draw());
    host.touch({ thing: name, record }).then(told, () => told([]));
  }
  const offers = asksHost.get(key);
  const does = ({ command, about }) =>
    h("li", {}, h("button", { class: "offer", onclick: () => (stop(), host.branch({ record, command })) }, h("code", {}, command), h("small", {}, about)));
  return [
    h("h3", {}, branchTexts.offer),
    offers && offers.length ? h("ul", { class: "offers-list" }, offers.map(does)) : h("p", { class: "dim" }, offers ? branchTexts.nobody : branchTexts.looks),
  ];
}
function offered(list, name) {
  if (host.touch) return offeredByHost(name);
  if (!branches.length || chosen) return null;
  return [
    h("h3", {}, branchTexts.offer),
    asked() ? h("p", { class: "dim" }, branchTexts.asks) : null,
    list.length ? h("ul", { class: "offers-list" }, list.map(offer)) : h("p", { class: "dim" }, branchTexts.none),
  ];
}

// All branches, where the reader asks for them.
const toggleBranches = () => {
  if (!branches.length || chosen) return;
  lookedAt.kind = lookedAt.kind === "branches" ? "" : "branches";
  me.view = "stage";
  draw();
  showDetails();
};

// The head of a branch: which of the two runs is shown.
function branchHead() {
  if (!chosen) return null;
  const run = (text, shown) =>
    h("button", { "aria-pressed": String(compared.shown === shown), onclick: () => openBranch(compared.chosen, shown, "t=" + beats[me.at].t) }, text);
  return h(
    "section",
    { class: "panel branch" + (compared.shown ? " shown" : ""), "aria-label": say("branch") },
    h("h2", {}, branchTexts.offer + " " + chosen.title),
    student
      ? h("p", { class: "dim" }, compared.shown ? branchTexts.is : branchTexts.was)
      : h(
          "div",
          { class: "runs" },
          run(branchTexts.was, false),
          run(branchTexts.is, true),
          h("button", { class: "leave", onclick: () => openBranch(-1, false, "t=" + beats[me.at].t) }, branchTexts.leave),
        ),
  );
}

// What the two runs differ in: from where on, and at the end.
function branchDetails() {
  if (!chosen) return null;
  const part = (name, p) =>
    h("p", {}, h("b", {}, name + ": "), p ? [h("span", { class: "mono" }, time(p.t)), " " + p.text + (p.why ? ": " + p.why : "")] : branchTexts.nothing);
  return h(
    "section",
    { class: "panel compared", "aria-label": say("comparison") },
    chosen.about ? prose(chosen.about) : null,
    h("p", { class: "dim" }, branchTexts.added(chosen)),
    h("h3", {}, branchTexts.parts),
    part(branchTexts.was, chosen.was),
    part(branchTexts.is, chosen.is),
    chosen.end && chosen.end.length
      ? table(
          [branchTexts.end, branchTexts.was, branchTexts.is],
          chosen.end.map((d) => h("tr", {}, h("th", { scope: "row" }, d.what), h("td", {}, d.was), h("td", { class: "differs" }, d.is))),
        )
      : h("p", {}, branchTexts.same),
  );
}
