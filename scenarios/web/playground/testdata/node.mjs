// Runs the worker of the playground in node: node node.mjs DIR. It reads requests, a line of JSON each, and prints the answers with the
// sizes of what is not JSON. The files are read from DIR as a browser gets them from a server that does not compress. STACK is the
// size of the stack in MB, which is that of Chromium unless set.
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";

// bootstrap makes a thread of node a Web Worker.
const bootstrap = `
  const { Worker: Thread, parentPort, workerData } = require("node:worker_threads");
  const { createReadStream, existsSync } = require("node:fs");
  const { Readable } = require("node:stream");
  const { pathToFileURL } = require("node:url");
  const { dir, bootstrap, resourceLimits } = workerData;
  globalThis.name = workerData.name;
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  globalThis.fetch = async (name) => {
    const path = dir + "/" + name;
    if (!existsSync(path)) return new Response(null, { status: 404 });
    return new Response(Readable.toWeb(createReadStream(path)));
  };
  globalThis.Worker = class {
    constructor(url, { name }) {
      this.thread = new Thread(bootstrap, { eval: true, workerData: { ...workerData, name }, resourceLimits });
      this.thread.on("message", (data) => this.onmessage({ data }));
      this.thread.on("error", ({ message }) => this.onerror({ message, preventDefault() {} }));
    }
    postMessage(message, transfer) {
      this.thread.postMessage(message, transfer);
    }
    terminate() {
      this.thread.terminate();
    }
  };
  import(pathToFileURL(dir + "/worker.js")).then(() => {
    parentPort.on("message", (data) => globalThis.onmessage({ data }));
  });
`;
const resourceLimits = { stackSizeMb: Number(process.env.STACK || 1) };
const workerData = { dir: process.argv[2], bootstrap, resourceLimits };
const worker = new Worker(bootstrap, { eval: true, workerData, resourceLimits });

let started = performance.now();
let spent = 0;
worker.on("message", (message) => {
  const { archive, bytes, module, ...rest } = message;
  if (archive) rest.archiveSize = archive.length;
  if (bytes) rest.size = bytes.length;
  if (message.type === "result" && process.env.RESULT_DATA !== "1") delete rest.data;
  // cpu and ms count from the last answer that was not about progress.
  const now = performance.now();
  const { user, system } = process.cpuUsage();
  const answer = { ...rest, ms: Math.round(now - started), cpu: Math.round((user + system) / 1000 - spent), rss: process.memoryUsage().rss };
  console.log(JSON.stringify(answer));
  if (rest.type === "loading" || rest.type === "progress") return;
  started = now;
  spent += answer.cpu;
});
worker.on("error", (error) => {
  console.error(error);
  process.exit(1);
});
worker.postMessage({ type: "load", base: "./" });
const lines = createInterface({ input: process.stdin });
for await (const line of lines) {
  if (line === "end") {
    await worker.terminate();
    process.exit();
  }
  worker.postMessage(JSON.parse(line));
}
