// The recording that is shown: its beats, and what is to be seen at each of them.
const statesOf = (beats) => {
  const states = [];
  beats.forEach((b, i) => states.push(Object.assign(Object.create(null), i ? states[i - 1] : null, b.state)));
  return states;
};
const beats = lesson.beats,
  states = statesOf(beats),
  // What is to be seen while the question of a beat is open.
  sceneAt = (i) => (asked(i) ? Object.assign(Object.create(null), states[i], beats[i].asked) : states[i]),
  phase = {};
for (const p of lesson.phases) phase[p.letter] = p;
const asks = beats.map((b, i) => (b.ask ? i : -1)).filter((i) => i >= 0);
// The class that the page is in, if there is one (8-class.js), and whose page it is.
const room = host.room,
  student = Boolean(room) && room.part === "student",
  presenter = Boolean(room) && room.part === "presenter";
// over ends what listens outside of the element of the player.
const over = new AbortController();
const fail = (text) => {
  app.textContent = text;
};
