// A page that is a file: the recording is in it, and the link to a place in it is the address.
const app = document.getElementById("app");
const fragment = () => location.hash.slice(1);
const show = (lesson) => {
  const moved = (place) => {
    try {
      history.replaceState(null, "", "#" + place);
    } catch (e) {
      /* a sandbox may forbid it */
    }
  };
  const film = player(app, lesson, { place: fragment(), moved });
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
