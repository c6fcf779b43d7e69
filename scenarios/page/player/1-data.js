// The recording in this page: its beats, and the state after each of them.
const app = document.getElementById("app");
const fail = (text) => {
  app.textContent = text;
};
if (typeof DecompressionStream === "undefined") {
  return fail("This browser cannot decompress the recording in this page. Firefox 113, Chrome 80, Safari 16.4 and later can.");
}
let lesson;
try {
  const packed = Uint8Array.from(atob(document.getElementById("lesson").textContent.trim()), (c) => c.charCodeAt(0));
  lesson = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
} catch (e) {
  return fail("The recording in this page is damaged: the file is incomplete or was changed. Export it again.");
}

// h makes an element; texts are always texts.
const h = (tag, attributes, ...children) => {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [k, v] of Object.entries(value)) e.style.setProperty(k, v);
    else if (value !== false && value !== undefined && value !== null) e.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== "") e.append(child);
  return e;
};

const beats = lesson.beats,
  phase = {};
for (const p of lesson.phases) phase[p.letter] = p;
const states = [];
beats.forEach((b, i) => states.push(Object.assign(Object.create(null), i ? states[i - 1] : null, b.state)));
const asks = beats.map((b, i) => (b.ask ? i : -1)).filter((i) => i >= 0);
