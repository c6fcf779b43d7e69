// The search in a list of pages, and the progress of the reader, which the pages of lessons keep in this browser: an object that has, by the
// names of the lessons, how many answers were right, and how many were given.
{
  const cards = [...document.querySelectorAll(".cards li")],
    filter = document.getElementById("filter"),
    none = document.getElementById("none"),
    summary = document.getElementById("progress"),
    forget = document.getElementById("forget");
  const texts = cards.map((card) => (card.textContent + " " + card.dataset.name).toLowerCase());
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    cards.forEach((card, i) => (card.hidden = !words.every((word) => texts[i].includes(word))));
    for (const unit of document.querySelectorAll(".unit")) unit.hidden = !unit.querySelector("li:not([hidden])");
    none.hidden = cards.some((card) => !card.hidden);
  });
  const key = "kubestep.lessons";
  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(key)) || {};
    } catch (e) {
      return {}; // A browser may keep nothing.
    }
  };
  const draw = () => {
    const done = read();
    for (const old of document.querySelectorAll(".done")) old.remove();
    let count = 0;
    for (const card of cards) {
      const score = done[card.dataset.name];
      if (!score) continue;
      count++;
      const mark = document.createElement("span");
      mark.className = "done";
      mark.textContent = "✓ done" + (score.of ? ", " + score.right + " of " + score.of + " right" : "");
      card.querySelector("a").append(mark);
    }
    summary.textContent = count ? count + " of " + cards.length + " done" : "";
    forget.hidden = !count;
  };
  forget.addEventListener("click", () => {
    try {
      localStorage.removeItem(key);
    } catch (e) {
      /* A browser may keep nothing. */
    }
    draw();
    filter.focus();
  });
  // A reader who comes back from a lesson by the key of the browser sees what it has added.
  addEventListener("pageshow", draw);
  draw();
}
