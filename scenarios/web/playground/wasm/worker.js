// The Web Worker of the playground. It loads the engine once, and makes a new instance of it for each request: an instance
// answers one and ends. Package playground describes the messages.
//
// What takes memory is done in a worker of this worker, which ends after it: its memory is free at once, and not when the browser
// looks for garbage.
import { filesOf } from "./files.js";
import "./wasm_exec.js";

const smaller = "Make the scenario smaller (fewer replicas, a shorter horizon), close other tabs, or run it with kubestep on your machine.";
const again = "Reload the page.";
const noMemory = /memory|allocation/i;

class Failure extends Error {
  constructor(message, hint) {
    super(message);
    this.hint = hint;
  }
}

let engine = null; // {module, version, kubernetes, commit, library, schema}
let base = "./";

const reply = (message, transfer = []) => globalThis.postMessage(message, transfer);
const fail = (id, error) => {
  const hint = error.hint || (noMemory.test(error.message) ? smaller : again);
  const message = noMemory.test(error.message) && !error.hint ? "The engine ran out of memory: " + error.message : error.message;
  reply({ type: "error", id, message, try: hint, errors: [] });
};

// Requests are answered one after the other.
let last = Promise.resolve();
globalThis.onmessage = ({ data }) => {
  last = last.then(() => (globalThis.name === inside ? perform(data) : answer(data))).catch((error) => fail(data.id, error));
};

async function answer(request) {
  if (request.type === "load") return load(request);
  if (!engine) throw new Failure("The engine is not loaded.", again);
  switch (request.type) {
    case "library":
      return reply({ ...(await read("library.json")), type: "library", id: request.id });
    case "schema":
      return reply({ type: "schema", id: request.id, schema: await read("schema.json") });
  }
  const { module, version } = engine;
  await delegate({ ...request, module, version }, (message) => reply(message, transfers(message)));
}

// inside is the name of a worker of this worker.
const inside = "inside";

// delegate lets a worker do something, and passes on what it says until it says how that ended.
function delegate(task, pass) {
  return new Promise((done, failed) => {
    const worker = new Worker(import.meta.url, { type: "module", name: inside });
    worker.onmessage = ({ data }) => {
      if (data.type === "progress" || data.type === "loading") return pass(data);
      worker.terminate();
      done(pass(data));
    };
    worker.onerror = (error) => {
      error.preventDefault();
      worker.terminate();
      failed(explained(error.message || "it ended"));
    };
    worker.postMessage(task);
  });
}

// perform does what was delegated.
async function perform(task) {
  if (task.type !== "compile") return run(task);
  base = task.base;
  reply({ type: "compiled", module: await compile(task) });
}

// transfers are the parts of a message that need not be copied.
const transfers = ({ archive, bytes }) => [archive, bytes].filter(Boolean).map((data) => data.buffer);

// read reads a file of the site.
async function read(name, how = {}) {
  return (await get(name, how)).json();
}

async function get(name, how = {}) {
  let response;
  try {
    response = await fetch(base + name, how);
  } catch (error) {
    throw new Failure("The site cannot be reached: " + error.message, "Check the connection, and reload the page.");
  }
  if (response.ok || how.missing) return response;
  throw new Failure(`${name} cannot be loaded: ${response.status} ${response.statusText}`, "Serve all files of bin/web, as kubestep web does.");
}

async function load(request) {
  if (typeof WebAssembly === "undefined") {
    throw new Failure("This browser has no WebAssembly, or it is switched off.", "Use another browser, or switch WebAssembly on.");
  }
  base = request.base || base;
  const about = await read("engine.json", { cache: "no-cache" });
  let module = request.module;
  if (!module) {
    await delegate({ type: "compile", base, ...about }, (message) => {
      if (message.type === "compiled") module = message.module;
      else reply(message);
    });
    // It has said why.
    if (!module) return;
  }
  engine = { ...about, module };
  reply({ type: "ready", version: about.version, kubernetes: about.kubernetes, commit: about.commit, module });
}

// compile compiles the engine while it arrives.
async function compile({ wasm, bytes }) {
  const bytesOf = await download(wasm);
  let got = 0;
  let told = 0;
  const counted = new TransformStream({
    transform(chunk, out) {
      got += chunk.byteLength;
      if (got - told > bytes / 100) {
        told = got;
        reply({ type: "loading", got, total: bytes, phase: "download" });
      }
      out.enqueue(chunk);
    },
    flush() {
      reply({ type: "loading", got, total: bytes, phase: "compile" });
    },
  });
  const response = new Response(bytesOf.pipeThrough(counted), { headers: { "Content-Type": "application/wasm" } });
  try {
    return await WebAssembly.compileStreaming(response);
  } catch (error) {
    if (noMemory.test(error.message)) throw error;
    throw new Failure("The engine cannot be compiled: " + error.message, "Use a newer browser, or reload the page if loading was cut off.");
  }
}

// download is the stream of the engine. A server that compresses sends it under its name; any other one has the compressed file.
async function download(name) {
  const response = await get(name, { missing: true });
  if (response.ok) return response.body;
  const packed = (await get(name + ".gz")).body;
  const [look, all] = packed.tee();
  const reader = look.getReader();
  const { value } = await reader.read();
  reader.cancel();
  // Some servers declare the file as compressed, and the browser has unpacked it then.
  return value && value[0] === 0x1f && value[1] === 0x8b ? all.pipeThrough(new DecompressionStream("gzip")) : all;
}

// Program is a Go program whose failures are told, also those after it waited.
class Program extends globalThis.Go {
  constructor(failed) {
    super();
    this.failed = failed;
  }
  _resume() {
    try {
      super._resume();
    } catch (error) {
      this.failed(error);
    }
  }
}

// run starts an instance, which answers the request.
async function run({ id, archives, archive, module, ...request }) {
  let answered = false;
  let code = 0;
  let program;
  let words = ""; // what the program writes, which is why it ended if it ended without an answer
  globalThis.kubestep = {
    request: JSON.stringify(request),
    archives: archives || (archive ? [archive] : []),
    post(text, bytes) {
      const message = { ...JSON.parse(text), id };
      answered ||= message.type !== "progress";
      if (message.type === "result") message.memory = program.mem.buffer.byteLength;
      if (bytes) message[message.type === "trace" ? "bytes" : "archive"] = bytes;
      reply(message, transfers(message));
    },
  };
  const decoder = new TextDecoder();
  globalThis.fs = filesOf((bytes) => {
    words = (words + decoder.decode(bytes)).slice(0, 10000);
  });
  try {
    await new Promise((done, failed) => {
      program = new Program(failed);
      program.exit = (status) => (code = status);
      WebAssembly.instantiate(module, program.importObject)
        .then((instance) => program.run(instance))
        .then(done, failed);
    });
  } catch (error) {
    if (!answered) throw explained(error.message + "\n" + words);
    return;
  } finally {
    globalThis.kubestep = undefined;
    for (const timeout of program._scheduledTimeouts.values()) clearTimeout(timeout);
  }
  if (!answered) throw explained(words || "it ended with code " + code);
}

// explained says why a program ended without an answer.
function explained(words) {
  if (/call stack/i.test(words)) return new Failure("The engine needs a larger stack than this browser has.", "Use another browser, or a smaller scenario.");
  if (noMemory.test(words)) return new Failure("The engine ran out of memory.", smaller);
  return new Failure("The engine failed: " + words.trim(), "Report this with the scenario and its seed.");
}
