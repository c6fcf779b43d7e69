// Completion and explanations in the editor, from the JSON Schema of the format.
import { insertCompletionText, pickedCompletion, startCompletion } from "@codemirror/autocomplete";
import scenarioSchema from "../../../../../docs/reference/scenario.schema.json";
import { h } from "player";
import { outline } from "./outline.js";
import { about, keys, values } from "./schema.js";
import { taskIn } from "./task.js";

const linesOf = (doc) => doc.toString().split("\n");
const placeAt = (state, pos) => {
  const line = state.doc.lineAt(pos);
  const place = outline(linesOf(state.doc), line.number - 1, pos - line.from);
  // The steps of a learner continue those of a scenario.
  return place && taskIn(state.doc.toString()) ? { ...place, path: ["spec", ...place.path] } : place;
};

// info is the description of an option; texts are always texts.
const info = (text) => (text ? () => h("div", { class: "about" }, text) : undefined);

// suggest offers the keys that may stand at the cursor, or the values of the key.
export function suggest({ state, pos, explicit }) {
  const place = placeAt(state, pos);
  if (!place || (!explicit && !place.prefix && !place.key)) return null;
  const options = place.key || place.list ? valueOptions(place) : keyOptions(place, state, pos);
  if (!options.length) return null;
  return { from: pos - place.prefix.length, options, validFor: /^[\w./-]*$/ };
}

function keyOptions(place) {
  return keys(scenarioSchema, place.path)
    .filter((key) => !place.used.has(key.name))
    .map((key) => ({
      label: key.name,
      apply: complete,
      type: "property",
      detail: key.required ? "required" : key.holds,
      info: info(key.about),
      boost: key.required ? 1 : 0,
    }));
}

// complete writes a key, and offers its values.
function complete(view, option, from, to) {
  const insert = insertCompletionText(view.state, option.label + ": ", from, to);
  view.dispatch({ ...insert, annotations: pickedCompletion.of(option) });
  startCompletion(view);
}

function valueOptions(place) {
  const path = place.key ? [...place.path, place.key] : place.path;
  return values(scenarioSchema, path).map(({ text, example }) => ({
    label: text,
    apply: /^[\w./-]+( [\w./-]+)*$/.test(text) ? text : JSON.stringify(text),
    type: "constant",
    detail: example ? "example" : "",
    info: info(about(scenarioSchema, path)),
  }));
}

// explain describes the key under the pointer.
export function explain(view, pos) {
  const line = view.state.doc.lineAt(pos);
  const word = [...line.text.matchAll(/[A-Za-z][\w-]*(?=\s*:(\s|$))/g)].find(
    (m) => line.from + m.index <= pos && pos <= line.from + m.index + m[0].length,
  );
  if (!word) return null;
  const from = line.from + word.index;
  const place = placeAt(view.state, from + word[0].length);
  const text = place && !place.key && about(scenarioSchema, [...place.path, word[0]]);
  if (!text) return null;
  return {
    pos: from,
    end: from + word[0].length,
    create: () => ({ dom: h("div", { class: "about" }, h("b", {}, word[0]), "\n" + text) }),
  };
}
