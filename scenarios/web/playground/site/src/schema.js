// What may stand at a place of a scenario, by the JSON Schema of the format.
import { ITEM } from "./outline.js";

// at are the schemas that apply at a path. A schema with alternatives counts as all of them.
export function at(schema, path) {
  let places = spread(schema, schema);
  for (const step of path) {
    places = places.flatMap((place) => {
      const next = step === ITEM ? place.items : (place.properties || {})[step] || place.additionalProperties;
      return next && typeof next === "object" ? spread(schema, next) : [];
    });
  }
  return places;
}

// spread follows references and alternatives.
function spread(root, schema) {
  const found = [];
  const add = (s, description) => {
    const about = s.description || description;
    if (s.$ref) add(root.$defs[s.$ref.replace("#/$defs/", "")], about);
    else found.push({ ...s, description: about });
    for (const list of [s.oneOf, s.anyOf, s.allOf]) for (const other of list || []) add(other, about);
  };
  add(schema);
  return found;
}

// keys are those that a mapping may have: [{name, about, required, holds}]. holds is the type of its value.
export function keys(schema, path) {
  const found = new Map();
  const places = at(schema, path);
  const required = new Set(places.flatMap((place) => place.required || []));
  for (const place of places) {
    for (const [name, property] of Object.entries(place.properties || {})) {
      const [first] = spread(schema, property);
      if (!found.has(name) && first) {
        const type = first.type || (first.properties ? "object" : "string");
        found.set(name, {
          name,
          about: describe(first, property),
          required: required.has(name),
          holds: Array.isArray(type) ? type[0] : type,
        });
      }
    }
  }
  return [...found.values()];
}

// values are those that a field may have, or examples of them: [{text, example}].
export function values(schema, path) {
  const found = new Map();
  for (const place of at(schema, path)) {
    const fixed = place.enum || (place.const !== undefined ? [place.const] : place.type === "boolean" ? [true, false] : []);
    for (const value of fixed) found.set(String(value), false);
    for (const value of place.examples || []) {
      if (typeof value !== "object" && !found.has(String(value))) found.set(String(value), fixed.length === 0);
    }
  }
  return [...found].map(([text, example]) => ({ text, example }));
}

// about is the description of a field with examples; "" if it has none.
export function about(schema, path) {
  const [place] = at(schema, path);
  return place ? describe(place, place) : "";
}

function describe(schema, property) {
  const text = property.description || schema.description || "";
  const examples = (property.examples || schema.examples || []).map((e) => (typeof e === "string" ? e : JSON.stringify(e)));
  return text + (examples.length ? (text ? "\n" : "") + "Example: " + examples.join("  or  ") : "");
}
