// The queue of runs: one at a time, and at most one that waits. A slider that moves twice wants the second place.
import { Failure } from "./engine.js";

export class Queue {
  // started, progressed, done and failed are called with what was asked for, and what is known of it.
  constructor(engine, { started, progressed, done, failed, rested }) {
    Object.assign(this, { engine, started, progressed, done, failed, rested, running: null, next: null });
  }

  // add asks for a run. It starts when the engine is there, and the run before it is over.
  add(asked) {
    this.next = asked;
    return this.work();
  }

  clear() {
    this.next = null;
  }

  async work() {
    while (this.next && !this.running && this.engine.ready) {
      const asked = this.next;
      this.next = null;
      const at = (this.running = { now: 0, records: 0 });
      this.started(asked);
      try {
        const answer = await this.engine.ask("run", question(asked), ({ now, records }) => {
          Object.assign(at, { now, records });
          this.progressed(asked, at);
        });
        this.running = null;
        this.done(asked, answer);
      } catch (failure) {
        this.running = null;
        this.failed(asked, failure instanceof Failure ? failure : broken(failure), at);
      }
      this.rested();
    }
  }
}

const question = ({ name, text, seed, vary }) => ({
  ...(name ? { name } : { text }),
  seed: seed === "" ? null : Number(seed),
  vary,
});
const broken = (failure) => new Failure("The page failed: " + failure.message, "Reload the page; the address keeps your work.");
