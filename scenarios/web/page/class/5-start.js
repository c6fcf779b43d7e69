// The playground of the lesson covers the page while the presenter has it open. What was done in it stays when it is opened again.
let frame = null;
function playground() {
  const on = Boolean(now.state.playground),
    address = "/playground/#name=" + encodeURIComponent(now.lesson);
  if (on && (!frame || frame.dataset.lesson !== now.lesson)) {
    if (frame) frame.remove();
    frame = h("iframe", { class: "playground", title: say("the playground of this lesson"), src: address, "data-lesson": now.lesson });
    document.body.append(frame);
  }
  if (frame) frame.hidden = !on;
  document.body.classList.toggle("plays", on);
}

document.body.classList.add("class", config.part);
if (leading) makeBar();
lobby();
// The browser shows that it loads the page until then.
if (document.readyState === "complete") news();
else addEventListener("load", () => setTimeout(news, 0));
