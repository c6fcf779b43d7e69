// The page of a class: what it knows of the server, and how it asks it. What follows is one function with the other files of the folder.
const app = document.getElementById("app");
const config = JSON.parse(document.getElementById("class").textContent);
texts = config.texts || {};
const query = new URLSearchParams(location.search),
  secret = query.toString();
const leading = config.part === "presenter";
// How long an answer of the server may take: it answers a request for news after five seconds at most.
const patience = 8000;
// Many pages that try again do not do so at the same moment.
const pause = (ms) => new Promise((done) => setTimeout(done, ms * (0.75 + Math.random() / 2)));
const post = (path, body) =>
  fetch(path + "?" + secret, { method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(patience) });
// What the server has told last, the lesson that is shown with its player, the branch of it that is shown, and whether there is a connection.
const now = { state: null, lesson: "", branch: null, film: null, lost: false };
// redraw shows what is new. What somebody presses stays in its place until it is released, and what has the focus keeps it.
let pressed = false,
  waiting = false;
const released = () =>
  setTimeout(() => {
    pressed = false;
    if (waiting) redraw();
  }, 0);
addEventListener("pointerdown", () => (pressed = true), true);
for (const event of ["pointerup", "pointercancel"]) addEventListener(event, released, true);
function redraw() {
  waiting = pressed;
  if (pressed) return;
  const focus = document.activeElement.closest("button"),
    place = focus && (app.contains(focus) ? app : focus.closest("dialog"));
  if (now.film) now.film.draw();
  else lobby();
  if (leading) drawBar();
  if (!place || focus.isConnected) return;
  const again = [...place.querySelectorAll("button")].find((b) => b.textContent === focus.textContent);
  if (again) again.focus({ preventScroll: true });
}
function connected(yes) {
  if (now.lost !== yes) return;
  now.lost = !yes;
  redraw();
}

// Why there is no news. All of these are tried again.
const waits = {
  401: say("This browser does not keep the cookie of the class, which a vote needs."),
  423: say("The presenter has locked the class. This page tries again."),
  429: say("Many are joining. This page tries again."),
  503: say("The class is full. This page tries again."),
};
const over = () => {
  if (now.film) now.film.close();
  now.film = null;
  app.replaceChildren(
    h(
      "main",
      { class: "lobby" },
      h("h1", {}, say("This class is over")),
      h("p", {}, say("Or its code is another one: scan the code again.")),
    ),
  );
};
// After a sleep, a request that is under way may never be answered: it is asked again at once.
let wake = () => {};
for (const event of ["online", "pageshow"]) addEventListener(event, () => wake());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());
addEventListener("offline", () => connected(false));

// ask asks for news since a version. It returns null if there is no connection, and undefined if the page has woken up meanwhile.
async function ask(since) {
  const asking = new AbortController(),
    late = setTimeout(() => asking.abort(), patience);
  let woken = false;
  wake = () => {
    woken = true;
    asking.abort();
  };
  try {
    const answer = await fetch("/state?" + secret + "&since=" + since, { signal: asking.signal });
    return { status: answer.status, state: answer.status === 200 ? await answer.json() : null };
  } catch (e) {
    return woken ? undefined : null;
  } finally {
    clearTimeout(late);
    wake = () => {};
  }
}
async function news() {
  let followed = true;
  for (let since = -1; ;) {
    const told = await ask(since);
    if (told === undefined) continue;
    if (told && told.status === 403) return over();
    connected(Boolean(told));
    now.trouble = told ? waits[told.status] || "" : "";
    if (told && told.status === 401) await fetch("/?" + secret).catch(() => {});
    if (told && told.state) {
      since = told.state.version;
      const same = JSON.stringify(now.state) === JSON.stringify(told.state);
      now.state = told.state;
      if (!same || !followed) followed = await follow();
      if (!followed) since = -1;
    }
    if (now.trouble) redraw();
    // A film that plays has many places a second; each page takes a few of them.
    await pause(!told || now.trouble || since < 0 ? 1500 : 80);
  }
}

// Opens the lesson that the class has open, and goes where the presenter is. It reports whether it has got it.
async function follow() {
  const { lesson, at, branch } = now.state;
  if (lesson !== now.lesson) {
    if (now.film) now.film.close();
    now.film = null;
    now.lesson = "";
    document.body.classList.toggle("taught", Boolean(lesson));
    if (lesson) {
      const data = await load(lesson);
      if (!data) return false;
      now.lesson = lesson;
      now.data = data;
      forget();
      app.replaceChildren();
      roll(branch);
      now.film.at(branch ? branch.at : at);
      scrollTo(0, 0);
    }
  }
  playground();
  // The window that has gone there is there, or further.
  if (now.film && now.state.window !== self) {
    if (called(branch) !== called(now.branch)) roll(branch);
    led = placeOf(branch ? branch.at : at);
    now.film.at(branch ? branch.at : at);
  }
  redraw();
  return true;
}
// roll shows the run of a branch of the lesson, that of the lesson compared with it, or the lesson itself: the branch is null.
function roll(branch, kept, place) {
  if (now.film) now.film.close();
  now.branch = branch ? { index: branch.index, shown: branch.shown } : null;
  const run = branch && branch.shown ? { ...now.data, ...now.data.branches[branch.index].run } : now.data,
    compared = { chosen: branch ? branch.index : -1, shown: Boolean(branch && branch.shown), open: turn, of: now.data };
  now.film = null;
  now.film = player(app, run, { room, moved: () => {}, origin: origin(), kept, place, compared });
}
// turn is what the presenter chooses: a branch, at a virtual time, or the way back to where the class has left the lesson.
function turn(place, chosen, shown, kept) {
  roll(chosen < 0 ? null : { index: chosen, shown }, kept, chosen < 0 ? "" : place);
  if (chosen < 0) now.film.at(now.state.at);
  now.film.draw();
}
// The name of what is shown, and that of a place in it.
const called = (branch) => now.lesson + (branch ? "/" + branch.index + "/" + branch.shown : "");
const placeOf = (at) => called(now.branch) + "/" + at;
async function load(lesson) {
  try {
    const answer = await fetch("/lesson?" + secret + "&name=" + encodeURIComponent(lesson), {
      signal: AbortSignal.timeout(60000),
    });
    return answer.ok ? await answer.json() : null;
  } catch (e) {
    return null;
  }
}
