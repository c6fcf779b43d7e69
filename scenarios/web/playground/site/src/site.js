// The site around the playground, if it is part of one: links to its other parts, and the recordings of its lessons. site.json says where
// they are; it is empty if the playground stands alone.
import { h, unpacked } from "player";

const none = { links: [], films: "" };

async function read() {
  try {
    const answer = await fetch("site.json");
    return answer.ok ? { ...none, ...(await answer.json()) } : none;
  } catch {
    return none;
  }
}

// site puts the links into the bar. recorded is the recording of a scenario as its page in the site has it; null if there is none.
export function site(masthead) {
  const known = read();
  known.then(({ links }) => {
    const row = links.map(({ title, href }) => h("a", { href }, title));
    if (row.length) masthead.append(h("nav", { class: "around", "aria-label": "the site" }, row));
  });
  const recorded = async (name) => {
    const { films } = await known;
    if (!films || !/^[a-z0-9-]+$/.test(name)) return null;
    try {
      const answer = await fetch(`${films}${name}.html`);
      if (!answer.ok) return null;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      return await unpacked(page.getElementById("lesson").textContent);
    } catch {
      // The engine makes the same recording.
      return null;
    }
  };
  return { recorded };
}
