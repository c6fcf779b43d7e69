// The search of a site. Its index is loaded when the reader begins to search: searchIndex, a list of [page, title, kind, sections], where
// a section is [anchor, heading, text].
{
  const form = document.querySelector(".search"),
    box = form.querySelector("input"),
    results = form.querySelector(".results"),
    status = form.querySelector("[role=status]"),
    index = form.dataset.index,
    root = index.slice(0, index.lastIndexOf("/") + 1);
  let loaded = false;
  const load = () => {
    if (loaded) return;
    loaded = true;
    const script = document.createElement("script");
    script.src = index;
    script.onload = list;
    script.onerror = () => (status.textContent = "The index of the search cannot be loaded.");
    document.head.append(script);
  };
  const element = (tag, text, more) => Object.assign(document.createElement(tag), { textContent: text }, more);
  // A word in a title counts more than one in a heading, and that more than one in the text.
  const find = (words) => {
    const found = [];
    for (const [page, title, kind, sections] of window.searchIndex)
      for (const [anchor, heading, text] of sections) {
        const parts = [title, heading, text].map((part) => part.toLowerCase());
        let points = 0;
        for (const word of words) {
          const at = parts.findIndex((part) => part.includes(word));
          if (at < 0) {
            points = 0;
            break;
          }
          points += [9, 4, 1][at] + (parts[1].includes(word) ? 3 : 0) + (parts[1].startsWith(word) ? 2 : 0);
        }
        // The beginning of a page stands for the page.
        if (points) found.push({ points: points + (heading ? 0 : 1), page, title, kind, anchor, heading, text });
      }
    return found.sort((a, b) => b.points - a.points).slice(0, 20);
  };
  const around = (text, words) => {
    const at = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((i) => i >= 0), text.length) - 40);
    return (at ? "…" : "") + text.slice(at === text.length ? 0 : at, at + 130) + (text.length > at + 130 ? "…" : "");
  };
  const list = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = !words.length;
    if (!words.length || !window.searchIndex) return;
    const found = find(words);
    results.replaceChildren(
      ...found.map((f) => {
        const link = element("a", "", { href: root + f.page + (f.anchor ? "#" + f.anchor : "") });
        link.append(element("b", f.heading || f.title), " ", element("small", f.kind + (f.heading ? " · " + f.title : "")));
        if (f.text) link.append(element("span", around(f.text, words)));
        return link;
      }),
    );
    if (!found.length) results.replaceChildren(element("p", "Nothing has all these words."));
    status.textContent = found.length ? found.length + (found.length === 20 ? " or more results" : " results") : "no results";
  };
  box.addEventListener("focus", load);
  box.addEventListener("input", () => (load(), list()));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    const first = results.querySelector("a");
    if (first) first.click();
  });
  form.addEventListener("keydown", (e) => {
    const all = [box, ...results.querySelectorAll("a")],
      at = all.indexOf(document.activeElement);
    if (e.key === "Escape") {
      results.hidden = true;
      box.focus();
    }
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    e.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, at + (e.key === "ArrowDown" ? 1 : -1)))].focus();
  });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input, textarea, select")) return;
    e.preventDefault();
    box.focus();
  });
  document.addEventListener("click", (e) => {
    if (!form.contains(e.target)) results.hidden = true;
  });
}
