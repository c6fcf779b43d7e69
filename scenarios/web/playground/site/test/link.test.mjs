import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync } from "node:zlib";
import { BadLink, longLink, mostText, pack, read, sameRun, write } from "../src/link.js";

const says = (fragment, words) =>
  assert.rejects(read(fragment), (e) => {
    assert.ok(e instanceof BadLink, String(e));
    assert.match(e.message, words);
    return true;
  });

test("a link has the whole state", async () => {
  const state = {
    text: "kind: Scenario\n# <script>ü\u202e\n",
    seed: "7",
    vary: { maxSurge: "25%", ready: "1s..1m30s", object: "apps/deployment/web" },
    place: "t=7.514&n=12&view=decisions",
  };
  const link = await write(state);
  assert.deepEqual(await read(link.slice(1)), state);
  assert.match(link, /^#s=[\w-]+&seed=7&/);
});

test("a shipped scenario goes by its name", async () => {
  const link = await write({ name: "create", text: "...", seed: "", vary: null, place: "" });
  assert.equal(link, "#name=create");
  assert.deepEqual(await read("name=create&t=1.5"), { name: "create", seed: "", vary: null, place: "t=1.5" });
});

test("a scenario of 300 lines stays a short link", async () => {
  const line = (i) => `  - after: ${i}s\n    scale: {target: deployment/web-${i}, replicas: ${i * 7}}\n`;
  const text = Array.from({ length: 150 }, (_, i) => line(i)).join("");
  assert.ok((await pack(text)).length < longLink / 5);
});

test("a link that is cut off says so", async () => {
  const packed = await pack("apiVersion: kubestep.dev/v1alpha1\n".repeat(9) + "x: y");
  for (let n = 1; n < packed.length; n++) await says("s=" + packed.slice(0, n), /cut off/);
});

test("a damaged link says so", async () => {
  await says("s=<script>alert(1)</script>", /other characters/);
  await says("s=" + Buffer.from("not compressed").toString("base64url"), /cut off, or changed/);
  await says("s=" + deflateRawSync(Buffer.from([0xff, 0xfe, 0x00, 0xc3])).toString("base64url"), /cut off, or changed/);
  await says("seed=1e9&name=create", /seed/);
  await says("seed=1&t=2", /names no scenario/);
  await says("name=create&max-surge=-1", /max-surge/);
  await says("name=create&ready=<img src=x>", /ready/);
});

test("a link of 10 MB is not read", () => says("s=" + "A".repeat(10_000_000), /too long/));

test("a link that grows when it is decompressed is stopped at the limit", async () => {
  await says("s=" + deflateRawSync(Buffer.alloc(200 * mostText)).toString("base64url"), /more than 1 MiB/);
});

test("links to the same run differ in the place only", () => {
  assert.ok(sameRun("#name=create&seed=1&t=2", "#seed=1&name=create&view=decisions"));
  assert.ok(!sameRun("#name=create&seed=1", "#name=create&seed=2"));
});
