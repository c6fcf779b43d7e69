// The texts of the page in the language of its reader, by the English ones; none for a page in English.
let texts = {};
// say is a text of the page in the language of its reader. {name} in it stands for a value.
const say = (text, values) => (texts[text] || text).replace(/\{(\w+)\}/g, (_, name) => values[name]);
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
