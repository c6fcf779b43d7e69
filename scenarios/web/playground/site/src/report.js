// A failure in words, with what to try. What a developer needs to know of it, such as a stack, is behind the first line.
import { h } from "player";

// report shows a failure in an element, or removes the one before if there is none.
export function report(host, failure) {
  if (!failure) return host.replaceChildren();
  const [first, ...rest] = failure.message.split("\n");
  const more = rest.join("\n").trim();
  const close = h("button", { "aria-label": "close", onclick: () => host.replaceChildren() }, "✕");
  const text = h(
    "div",
    {},
    h("b", {}, first),
    failure.hint ? h("p", {}, "Try: " + failure.hint) : null,
    more ? h("details", {}, h("summary", {}, "More about it"), h("pre", {}, more)) : null,
  );
  host.replaceChildren(text, close);
}
