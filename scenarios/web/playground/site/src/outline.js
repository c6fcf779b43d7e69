// Where the cursor is in a scenario: the keys and list items around it, by the indentation of the lines above, and by the brackets of
// the line. The text is often incomplete while somebody types, so it is not parsed.

// ITEM stands for a place in a list.
export const ITEM = Symbol("item");

// A key and its colon at the beginning of a text.
const keyed = /^("[^"]*"|'[^']*'|[^\s"'#{}[\],&*!|>%@`-][^:#]*?|-[^\s:#]+)\s*:(?=\s|$)/;
const plain = (key) => key.replace(/^(["'])(.*)\1$/, "$2");

// tokens are the dashes and the key of a line, with their columns.
function tokens(line) {
  if (/^\s*(#|$)/.test(line)) return [];
  const list = [];
  let col = line.search(/\S/);
  for (; line[col] === "-" && (col + 1 === line.length || line[col + 1] === " "); col += line.slice(col).search(/[^-\s]|$/)) {
    list.push({ col, item: true });
    if (!line.slice(col + 1).trim()) return list;
  }
  const found = keyed.exec(line.slice(col));
  if (found) list.push({ col, key: plain(found[1]), rest: line.slice(col + found[0].length) });
  return list;
}

const block = /^\s*[|>][-+0-9]*\s*(#.*)?$/;

// outline describes the place at a column of a line: {path, key, prefix, used, flow}. With key "", a key is expected, else the value of
// that key. prefix is what is typed of it; used are the keys that the mapping has. It is null inside of texts and comments.
export function outline(lines, n, column) {
  const line = lines[n].slice(0, column);
  if (/(^|\s)#/.test(line.replace(/"[^"]*"|'[^']*'/g, ""))) return null;
  const own = tokens(line),
    last = own.at(-1),
    key = last && !last.item ? last : null;
  const start = key ? key.col : last ? last.col + line.slice(last.col).search(/[^-\s]|$/) : Math.max(line.search(/\S|$/), 0);
  const here = { path: [], key: "", prefix: "", used: new Set(), flow: false };

  // The lines above, from the inside out.
  let below = { col: key ? key.col : start };
  const around = (token) => {
    if (!(token.col < below.col || (below.item && !token.item && token.col <= below.col))) return true;
    if (!token.item && block.test(token.rest)) return false;
    here.path.unshift(token.item ? ITEM : token.key);
    below = token;
    return true;
  };
  const dashes = own.filter((token) => token.item);
  for (const token of dashes.reverse()) around(token);
  const level = dashes.length ? -1 : below.col;
  for (let i = n - 1; i >= 0 && below.col >= 0; i--) {
    for (const token of tokens(lines[i]).reverse()) {
      if (!token.item && token.col === (key ? key.col : start) && token.col === level && below.col === level)
        here.used.add(token.key);
      if (!around(token)) return null;
    }
    if (below.col === 0 && !below.item) break;
  }
  after(lines, n, key ? key.col : start, here.used);

  if (!key) return inFlow(line.slice(start), here) || Object.assign(here, { prefix: line.slice(start) });
  here.used.delete(key.key);
  if (block.test(key.rest)) return null;
  const flow = inFlow(key.rest, { ...here, path: [...here.path, key.key] });
  return flow || Object.assign(here, { key: key.key, prefix: key.rest.trimStart() });
}

// after adds the keys that a mapping has below a line.
function after(lines, n, col, used) {
  for (let i = n + 1; i < lines.length; i++) {
    const [first] = tokens(lines[i]);
    if (!first) continue;
    if (first.col < col || (first.item && first.col <= col)) return;
    if (first.col === col && first.key) used.add(first.key);
  }
}

// inFlow follows brackets that are open at the end of a text; null if there are none.
function inFlow(text, here) {
  const open = [];
  let word = "",
    quote = "";
  for (const c of text) {
    const top = open.at(-1);
    if (quote) {
      if (c === quote) quote = "";
      word += c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word += c;
    } else if (c === "{" || c === "[") {
      if (!top && word.trim()) return null;
      open.push({ map: c === "{", key: "", used: new Set() });
      word = "";
    } else if (c === "}" || c === "]") {
      open.pop();
      word = "";
    } else if (top && c === ",") {
      top.key = word = "";
    } else if (top && top.map && c === ":" && !top.key) {
      top.key = plain(word.trim());
      top.used.add(top.key);
      word = "";
    } else word += c;
  }
  if (!open.length) return null;
  const path = [...here.path];
  for (const [i, { map, key }] of open.entries()) {
    if (!map) path.push(ITEM);
    else if (key && i < open.length - 1) path.push(key);
  }
  const inner = open.at(-1);
  inner.used.delete(inner.key);
  return { path, key: inner.key, prefix: word.trimStart(), used: inner.used, flow: true, list: !inner.map };
}
