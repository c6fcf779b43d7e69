// A page that is a file: the recording is in it, and the link to a place in it is the address.
const app = document.getElementById("app");
const fragment = () => location.hash.slice(1);
const show = (lesson) => {
  texts = lesson.texts || {};
  const moved = (place) => {
    try {
      history.replaceState(null, "", "#" + place);
    } catch (e) {
      /* a sandbox may forbid it */
    }
  };
  // Shows the run of the lesson, or that of a branch of it: chosen is the index of the branch with which it is compared, -1 for none.
  let film = null;
  const open = (place, chosen, shown, kept) => {
    if (film) film.close();
    const run = shown ? { ...lesson, ...lesson.branches[chosen].run } : lesson;
    film = player(app, run, { place, moved, kept, compared: { chosen, shown, open, of: lesson } });
  };
  open(fragment(), -1, false);
  addEventListener("hashchange", () => film.follow(fragment()));
};
if (typeof DecompressionStream === "undefined") {
  app.textContent =
    "This browser cannot decompress the recording in this page. Firefox 113, Chrome 80, Safari 16.4 and later can.";
} else {
  unpacked(document.getElementById("lesson").textContent).then(show, () => {
    app.textContent = "The recording in this page is damaged: the file is incomplete or was changed. Export it again.";
  });
}
