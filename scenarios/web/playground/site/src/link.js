// Links: the address has the whole state of the page, so that a link opens the same run at the same place.
//
//   #name=rolling-update&seed=1&max-surge=0&t=7.514&view=decisions     a scenario that comes with kubestep
//   #s=...&seed=1                                                 any other text: deflate, then base64url
//
// A link comes from anybody. It is limited before it is decompressed and while it is, and it is only ever text.

// The largest scenario that kubestep reads has a MiB, too.
export const mostText = 1 << 20;
const mostLink = 400_000;
// Browsers and chat programs cut longer addresses.
export const longLink = 30_000;

const variations = {
  "max-surge": "maxSurge",
  "max-unavailable": "maxUnavailable",
  ready: "ready",
  replicas: "replicas",
  object: "object",
};

export class BadLink extends Error {}
const again = " Ask for the link again, or for the scenario as a file.";

// read is the state in a fragment: {name | text, seed, vary, place}. place is "" if the link is not about a run.
export async function read(fragment) {
  if (fragment.length > mostLink)
    throw new BadLink(`This link is too long: ${fragment.length} characters; at most ${mostLink} are read.`);
  const q = new URLSearchParams(fragment),
    state = { seed: "", vary: null, place: "" };
  const seed = q.get("seed");
  if (seed !== null) {
    if (!/^\d{1,18}$/.test(seed))
      throw new BadLink("The seed in this link is not a number. The scenario was not opened." + again);
    state.seed = seed;
  }
  for (const [name, field] of Object.entries(variations)) {
    const value = q.get(name);
    if (value === null) continue;
    if (!plausible(field, value))
      throw new BadLink(`The value of ${name} in this link is not one that a scenario can have.` + again);
    (state.vary ||= {})[field] = value;
  }
  const place = new URLSearchParams();
  for (const name of ["t", "n", "view"]) if (q.get(name)) place.set(name, q.get(name).slice(0, 40));
  if (place.has("t") || place.has("n")) state.place = place.toString();
  if (q.has("s")) state.text = await unpack(q.get("s"));
  else if (q.has("name")) state.name = q.get("name").slice(0, 100);
  else throw new BadLink("This link names no scenario." + again);
  return state;
}

// plausible holds the values of the numbers against what they are; the engine checks them in full.
export const plausible = (field, value) =>
  ({
    maxSurge: /^\d{1,5}%?$/,
    maxUnavailable: /^\d{1,5}%?$/,
    replicas: /^\d{1,5}$/,
    ready: /^(\d{1,6}(\.\d{1,6})?(ms|s|m|h)){1,3}(\.\.(\d{1,6}(\.\d{1,6})?(ms|s|m|h)){1,3})?$/,
    object: /^[a-z0-9][a-z0-9./-]{0,200}$/,
  })[field].test(value);

// write is the fragment of a state.
export async function write({ name, text, seed, vary, place }) {
  const q = new URLSearchParams();
  if (name) q.set("name", name);
  else q.set("s", await pack(text));
  if (seed !== "") q.set("seed", seed);
  for (const [key, field] of Object.entries(variations)) if (vary && vary[field]) q.set(key, vary[field]);
  return "#" + q + (place ? "&" + place : "");
}

// sameRun reports whether two links are about the same run, at whatever place.
export const sameRun = (a, b) => run(a) === run(b);
const run = (fragment) => {
  const q = new URLSearchParams(fragment.replace(/^#/, ""));
  for (const name of ["t", "n", "view"]) q.delete(name);
  q.sort();
  return q.toString();
};

// packed is the last text that was compressed: the place in a run changes often, its text does not.
let packed = { text: null };

export async function pack(text) {
  if (packed.text !== text) packed = { text, link: await compress(text) };
  return packed.link;
}

async function compress(text) {
  const bytes = new Uint8Array(
    await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer(),
  );
  let binary = "";
  for (let i = 0; i < bytes.length; i += 4096) binary += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// unpack decompresses until the limit, and no further.
export async function unpack(packed) {
  if (!/^[A-Za-z0-9_-]+$/.test(packed))
    throw new BadLink("The scenario in this link is not one that kubestep has written: it has other characters." + again);
  const broken = new BadLink("The scenario in this link is incomplete: the link was cut off, or changed." + again);
  let binary;
  try {
    binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw broken;
  }
  const stream = new Blob([Uint8Array.from(binary, (c) => c.charCodeAt(0))])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader(),
    decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "",
    size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > mostText) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    throw broken;
  }
  reader.cancel().catch(() => {});
  throw new BadLink(
    "The scenario in this link has more than 1 MiB when it is decompressed, which no scenario may have. It was not opened.",
  );
}
