// The start: at the place of the link. In a class, the host goes to that of the presenter.
follow(host.place || "");
if (chosen && hasWork) {
  const [here, there] = compared.shown ? [branchTexts.is, branchTexts.was] : [branchTexts.was, branchTexts.is];
  const other = compared.shown ? compared.of : { ...compared.of, ...chosen.run };
  me.beside = { lesson: other, here, there, states: statesOf(other.beats) };
}
if (student) document.body.classList.add("student");
draw();
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
  // Draws what is new in the class.
  draw,
  // Goes to a beat, past the questions before it; those after it are open.
  at: (i) => {
    const to = Math.max(0, Math.min(i, beats.length - 1));
    for (const ask of asks) {
      if (ask < to) me.answers.set(beats[ask].ask.step, "");
      else me.answers.delete(beats[ask].ask.step);
    }
    if (to !== me.at) place(to);
    draw();
  },
  close: () => {
    stop();
    over.abort();
    app.replaceChildren();
  },
};
