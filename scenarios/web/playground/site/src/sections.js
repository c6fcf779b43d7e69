// On a narrow screen, the parts of the page are behind buttons; on a wide one, all are in sight.
import { h } from "player";

const parts = { scenario: "Scenario", numbers: "What if", watch: "Watch" };

export function sections(host) {
  const buttons = Object.entries(parts).map(([name, label]) => h("button", { "data-go": name, onclick: () => go(name) }, label));
  const go = (name) => {
    document.body.dataset.section = name;
    for (const b of buttons) b.setAttribute("aria-current", String(b.dataset.go === name));
  };
  host.append(...buttons);
  go("scenario");
  return { go };
}
