// The worker of the tests. A scenario whose text has one of these words has the accident.
const accidents = {
  "accident-never-ends": (id) => setInterval(() => postMessage({ type: "progress", id, now: performance.now() / 1000, records: 1234 }), 50),
  "accident-out-of-memory": () =>
    setTimeout(() => {
      throw new RangeError("WebAssembly.Memory(): could not allocate memory");
    }),
  "accident-error": (id) => postMessage({ type: "error", id, message: "The run was ended: it has 2,000,000 records.\ngoroutine 139 [running]", try: "a shorter horizon" }),
};
const load = () => {
  for (let got = 0; got <= 20e6; got += 5e6) postMessage({ type: "loading", got, total: 20e6, phase: "download" });
  postMessage({ type: "loading", phase: "compile" });
  postMessage({ type: "ready", version: "test", kubernetes: "v1.36.3", module: "compiled" });
};
onmessage = async ({ data }) => {
  if (data.type === "load") return load();
  const accident = data.type === "run" && Object.keys(accidents).find((word) => (data.text || "").includes(word));
  if (accident) return accidents[accident](data.id);
  const answer = await fetch("/engine", { method: "POST", body: JSON.stringify(data) });
  postMessage(await answer.json());
};
