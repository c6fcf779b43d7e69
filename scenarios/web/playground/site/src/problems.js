// The errors of a scenario, below the editor: where, what, and what to write. Each leads to its line.
import { h } from "player";

export function problems(host, show) {
  const list = h("div", { class: "problems", role: "status", "aria-live": "polite", "aria-label": "errors" });
  host.append(list);
  const line = (error) => {
    const place = error.line ? `line ${error.line}${error.column ? ":" + error.column : ""}` : "the scenario";
    const warning = error.severity === "warning";
    return h(
      "button",
      { class: warning ? "warning" : "error", onclick: () => show(error) },
      h("b", {}, (warning ? "▲ warning, " : "✗ error, ") + place + ": "),
      error.message,
      error.try ? h("small", {}, "Try: " + error.try) : null,
    );
  };
  return {
    // show shows errors; none means that the scenario is valid, null that this is not known.
    show: (errors) => {
      list.classList.remove("stale");
      if (!errors) return list.replaceChildren();
      list.replaceChildren(...(errors.length ? errors.map(line) : [h("span", { class: "right" }, "✓ The scenario is valid.")]));
    },
    // stale is for a text that has changed since.
    stale: () => list.classList.add("stale"),
  };
}
