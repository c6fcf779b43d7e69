// Looking inside a thing of the stage: the last sync of a program, its work queue, an object among those that own each other. A view is
// opened with the thing marked, and the reader comes back to it at the same moment.
let inside = null;
const isInside = (view) => Boolean(inside) && inside.view === view && me.view === view;
const marksActor = (name) => isInside("queues") && lesson.players[inside.index] === name;
const marksObject = (i) => isInside("objects") && lesson.cast[inside.index].row === i;

// What is inside a thing: views, what they are of it, and beats at which they show it.
function insides(s, kind, index) {
  if (kind === "player") {
    const name = lesson.players[index],
      found = [];
    let sync = me.at;
    while (sync >= 0 && (sceneAt(sync).loop || {}).actor !== name) sync--;
    // A student follows the presenter, and does not go to another beat.
    if (sync >= 0 && (sync === me.at || !student)) found.push({ view: "loop", text: say("its last sync"), at: sync });
    if (partsOf(s, "queue").some((q) => q.actor === name)) found.push({ view: "queues", text: say("its queue"), at: me.at });
    return found;
  }
  if ((kind === "thing" || kind === "seat") && s["object" + lesson.cast[index].row]) return [{ view: "objects", text: say("its owners"), at: me.at }];
  return [];
}

const lookInside =
  ({ view, at }) =>
  () => {
    inside = { view, at: me.at, kind: lookedAt.kind, index: lookedAt.index };
    if (at !== me.at) go(at);
    me.view = view;
    draw();
    const mark = grid.querySelector("[data-inside]");
    if (mark) mark.scrollIntoView({ block: "nearest", behavior: "instant" });
  };

function lookBack() {
  if (!inside || !isInside(inside.view)) return;
  const { at, kind, index } = inside;
  inside = null;
  Object.assign(lookedAt, { kind, index });
  if (at !== me.at && !student) go(at);
  me.view = "stage";
  draw();
  showDetails();
}

const lookers = (s, kind, index) => {
  const all = insides(s, kind, index).filter((i) => views.includes(i.view));
  return all.length ? h("p", { class: "insides" }, say("Look inside:"), " ", all.map((i) => h("button", { class: "inside", onclick: lookInside(i) }, i.text))) : null;
};
const wayBack = () => (inside && isInside(inside.view) ? h("p", {}, h("button", { class: "back", onclick: lookBack }, "← " + say("back to the stage"))) : null);
