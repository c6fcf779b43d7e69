// The start: at the place of the link or, in a class, at that of the presenter.
follow(host.place || "");
if (student) {
  me.id =
    sessionStorage.getItem("student") ||
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
  sessionStorage.setItem("student", me.id);
  document.body.classList.add("student");
}
draw();
// The browser shows that it loads the page until then.
if (lesson.class) {
  if (document.readyState === "complete") news();
  else addEventListener("load", () => setTimeout(news, 0));
}
return {
  // The place in the film, as in a link.
  place: placed,
  follow: (link) => {
    if (student) return;
    stop();
    follow(link);
    draw();
  },
  // Compares with another run at the same virtual time: its recording, and what the two are called.
  beside: (other) => {
    me.beside = other && { ...other, states: statesOf(other.lesson.beats) };
    if (other && hasWork) me.view = "rollout";
    draw();
  },
  close: () => {
    stop();
    over.abort();
    app.replaceChildren();
  },
};
