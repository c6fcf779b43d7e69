import assert from "node:assert/strict";
import test from "node:test";
import { judged } from "../src/run.js";

const said = (verdict, more) => {
  const { mark, words } = judged({ verdict, ...more });
  return mark + " " + words;
};

test("a run that fails has its verdict, whatever numbers it has", () => {
  const data = { verdict: { word: "STUCK" } };
  const vary = { replicas: "2" };
  assert.equal(said("pass"), "✓ pass: all checks hold");
  assert.equal(said("fail", { data }), "✗ a check failed");
  assert.equal(said("fail", { data, vary }), "≠ not all checks of the scenario hold with these numbers");
  assert.equal(said("stuck", { data }), "✗ STUCK");
  assert.equal(said("stuck", { data, vary }), "✗ STUCK");
  assert.equal(said("error", { data }), "! the run broke off");
});
