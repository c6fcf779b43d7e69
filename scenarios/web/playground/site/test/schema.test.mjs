import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ITEM, outline } from "../src/outline.js";
import { keys, values } from "../src/schema.js";

const schema = JSON.parse(readFileSync(new URL("../../../../../docs/reference/scenario.schema.json", import.meta.url)));

// place is the outline at the mark "^" of a text.
const place = (text) => {
  const lines = text.split("\n"),
    n = lines.findIndex((line) => line.includes("^")),
    column = lines[n].indexOf("^");
  lines[n] = lines[n].replace("^", "");
  return outline(lines, n, column);
};
const path = (of) => of.path.map((step) => (step === ITEM ? "-" : step)).join(" ");

for (const [name, text, where, key, prefix] of [
  ["at the top", "api^", "", "", "api"],
  ["below spec", "kind: Scenario\nspec:\n  tit^", "spec", "", "tit"],
  ["value", "kind: Scen^", "", "kind", "Scen"],
  ["step", "spec:\n  steps:\n  - se^", "spec steps -", "", "se"],
  ["steps that are indented", "spec:\n  steps:\n    - note: a\n    - ^", "spec steps -", "", ""],
  ["second key of a step", "spec:\n  steps:\n  - after: 3s\n    no^", "spec steps -", "", "no"],
  ["brackets", "spec:\n  cluster:\n    pods: [{ready: 2s, ter^", "spec cluster pods -", "", "ter"],
  ["value in brackets", "spec:\n  steps:\n  - show: {view: co^", "spec steps - show", "view", "co"],
  ["after brackets that are closed", "spec:\n  cluster:\n    nodes: [{count: 3}]\n    ^", "spec cluster", "", ""],
  ["back at an outer level", "spec:\n  cluster:\n    nodes: [{count: 3}]\n  ch^", "spec", "", "ch"],
  ["list in brackets", "spec:\n  controllers: [dep^", "spec controllers -", "", "dep"],
]) {
  test("the place " + name, () => {
    const of = place(text);
    assert.deepEqual([path(of), of.key, of.prefix], [where, key, prefix]);
  });
}

test("no place inside of a manifest or a comment", () => {
  assert.equal(place("spec:\n  steps:\n  - create: |\n      apiVersion: apps/v1\n      ki^"), null);
  assert.equal(place("spec:\n  title: a # co^"), null);
});

test("keys that the mapping has are known", () => {
  const of = place("spec:\n  title: a\n  ^\n  horizon: 2m\n  checks:\n  - name: b");
  assert.deepEqual([...of.used].sort(), ["checks", "horizon", "title"]);
});

const names = (list) => list.map((key) => key.name);
test("the schema offers keys and values", () => {
  assert.ok(names(keys(schema, [])).includes("apiVersion"));
  assert.ok(names(keys(schema, ["spec"])).includes("steps"));
  const verbs = names(keys(schema, ["spec", "steps", ITEM]));
  for (const verb of ["create", "set-image", "wait", "note"]) assert.ok(verbs.includes(verb), verb);
  const views = values(schema, ["spec", "steps", ITEM, "show", "view"]).map((v) => v.text);
  assert.ok(views.includes("components"), views.join());
  assert.deepEqual(
    values(schema, ["kind"]).map((v) => v.text),
    ["Scenario"],
  );
});

test("every key of the schema can be reached and has a description", () => {
  const undescribed = [];
  const visit = (at, depth) => {
    if (depth > 5) return;
    for (const key of keys(schema, at)) {
      if (!key.about && depth > 1) undescribed.push(path({ path: [...at, key.name] }));
      visit([...at, key.name], depth + 1);
      if (key.holds === "array") visit([...at, key.name, ITEM], depth + 1);
    }
  };
  visit([], 0);
  assert.deepEqual(undescribed, []);
});
