// Texts of a scenario, in which people write a little Markdown: **bold**, `code` and lists. Texts stay texts: only these become elements.
const inline = (text) =>
  text
    .split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/)
    .map((part, i) => (i % 2 === 0 ? part : part[0] === "`" ? h("code", {}, part.slice(1, -1)) : h("b", {}, part.slice(2, -2))));

// prose is a text as paragraphs and lists. An empty line, or the begin of a list, ends a paragraph; the end of a line is a space.
function prose(text) {
  const out = [];
  let lines = [],
    items = [];
  const paragraph = () => {
    if (lines.length) out.push(h("p", {}, inline(lines.join(" "))));
    lines = [];
  };
  const list = () => {
    if (items.length) out.push(h("ul", {}, items.map((item) => h("li", {}, inline(item)))));
    items = [];
  };
  for (const line of (text || "").split("\n")) {
    if (/^\s*[-*] /.test(line)) {
      paragraph();
      items.push(line.replace(/^\s*[-*] /, ""));
    } else if (!line.trim()) {
      paragraph();
      list();
    } else if (items.length && /^\s/.test(line)) items[items.length - 1] += " " + line.trim();
    else {
      list();
      lines.push(line.trim());
    }
  }
  paragraph();
  list();
  return out;
}
