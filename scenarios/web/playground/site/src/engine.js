// The engine: the Web Worker that runs scenarios. Package playground describes the messages.

// Failure is what went wrong, in words, and what to try.
export class Failure extends Error {
  constructor(message, hint, more) {
    super(message);
    this.hint = hint || "";
    Object.assign(this, more);
  }
}

// Stopped is the failure of a request whose worker was ended.
export class Stopped extends Failure {}

// missing says what a browser lacks; "" if it has all that is needed.
export const missing = () => {
  if (typeof WebAssembly === "undefined") return "This browser has no WebAssembly, or it is switched off.";
  if (typeof Worker === "undefined") return "This browser has no Web Workers.";
  if (typeof DecompressionStream === "undefined") return "This browser is too old.";
  return "";
};
export const modern = "Use Chrome 105, Firefox 114, Safari 16.4 or later. Some private or lockdown modes switch WebAssembly off.";

export class Engine {
  // heard is called with "loading" and "ready" messages, failed with what ends the engine, and whether it was ready.
  constructor({ heard, failed, url = "./worker.js" }) {
    Object.assign(this, { heard, failed, url, waiting: new Map(), id: 0, module: null });
  }

  // start starts a worker, which loads the engine, or takes the one that is compiled already.
  start() {
    this.ready = false;
    const worker = new Worker(this.url, { type: "module" });
    this.worker = worker;
    const mine = (act) => (e) => this.worker === worker && act(e);
    worker.onmessage = mine((e) => this.take(e.data));
    worker.onmessageerror = mine(() => this.end(new Failure("A message of the engine could not be read.", "Reload the page.")));
    worker.onerror = mine((e) => {
      e.preventDefault();
      this.end(died(e.message, this.ready));
    });
    worker.postMessage({ type: "load", base: "./", module: this.module || undefined });
  }

  take(message) {
    if (message.type === "loading") return this.heard(message);
    if (message.type === "ready") {
      this.ready = true;
      this.module = message.module || this.module;
      return this.heard(message);
    }
    const request = this.waiting.get(message.id);
    if (message.type === "progress") return request && request.progress(message);
    this.waiting.delete(message.id);
    if (message.type !== "error") return request && request.done(message);
    const failure = new Failure(message.message, message.try, { errors: message.errors || [] });
    if (request) request.failed(failure);
    else this.end(failure);
  }

  // ask sends a request and returns its answer.
  ask(type, fields, progress = () => {}) {
    const id = ++this.id;
    if (!this.worker) return Promise.reject(new Failure("The engine does not run.", "Reload the page."));
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed, progress });
      this.worker.postMessage({ type, id, ...fields });
    });
  }

  // stop ends the worker with whatever it does, and starts another one.
  stop() {
    this.drop(new Stopped("stopped"));
    this.start();
  }

  // end is for a worker that cannot continue.
  end(failure) {
    const ran = this.ready;
    this.drop(failure);
    this.failed(failure, ran);
  }

  drop(failure) {
    this.worker.terminate();
    this.worker = null;
    this.ready = false;
    const requests = [...this.waiting.values()];
    this.waiting.clear();
    for (const request of requests) request.failed(failure);
  }
}

// died explains an error of the worker itself: one that has no answer.
function died(text, ready) {
  if (/memory|allocation/i.test(text || "")) {
    const hint =
      "Make the scenario smaller (fewer replicas, a shorter horizon), close other tabs, or run it with kubestep on your machine.";
    return new Failure("The engine ran out of memory.", hint);
  }
  if (!ready) {
    const hint =
      "Reload the page. If it happens again, the site is incomplete: worker.js or kubestep.wasm is missing, or is of another version.";
    return new Failure("The engine could not be loaded" + (text ? ": " + text : "."), hint);
  }
  return new Failure(
    "The engine failed" + (text ? ": " + text : "."),
    "Run again. The page has started the engine again; your text is still here.",
  );
}
