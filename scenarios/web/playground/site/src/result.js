// What came of the run that is shown: verdict, summary, trace hash, how to get the same elsewhere, and files.
import { h } from "player";
import { judged } from "./run.js";
import { save } from "./save.js";

// result fills the panel for a run. other is the run that is compared with it; engine answers what takes time, and
// go leads to a record of the run.
export function result(host, run, other, { engine, failed, go }) {
  const yaml = () => save(run.file + ".yaml", "text/yaml", run.ran);
  const lines = async () =>
    save(run.file + ".jsonl", "application/jsonl", (await engine.ask("trace", { archive: run.archive })).bytes);
  const button = (text, title, act) => h("button", { title, onclick: () => Promise.resolve(act()).catch(failed) }, text);
  const copied = h("span", { class: "dim", role: "status" });
  const copy = async () => {
    await navigator.clipboard.writeText(run.hash);
    copied.textContent = "copied";
  };
  const verdict = judged(run);
  host.replaceChildren(
    h(
      "p",
      {},
      h("b", { class: verdict.tone }, verdict.mark + " " + verdict.words),
      run.changes ? [" with ", h("b", {}, run.changes)] : null,
      h("span", { class: "dim" }, " · the real kube-controller-manager " + run.data.kubernetes + " · trace hash "),
      h("code", { class: "hash", "data-hash": run.hash, title: run.hash }, run.hash.replace("sha256:", "").slice(0, 12)),
    ),
    h(
      "details",
      {},
      h("summary", {}, "The same on your machine"),
      h(
        "p",
        {},
        run.plain ? null : ["Download ", button(run.file + ".yaml", "the scenario that ran", yaml), ", then: "],
        h("code", {}, run.command),
      ),
      h(
        "p",
        {},
        "It has the same trace hash: ",
        h("code", {}, run.hash),
        " ",
        button("Copy", "copy the trace hash", copy),
        " ",
        copied,
      ),
      h("p", { class: "mono summary" }, run.summary),
      h(
        "div",
        { class: "files" },
        "Download ",
        button(run.file + ".yaml", "the scenario that ran, with the numbers of the branch", yaml),
        button(run.file + ".kst", "the trace, compressed: kubestep open reads it", () =>
          save(run.file + ".kst", "application/octet-stream", run.archive),
        ),
        button(run.file + ".jsonl", "the trace as JSON lines", lines),
      ),
    ),
    other ? difference(run, other, engine, go) : "",
  );
}

// difference asks where two runs diverge when the reader wants to know.
function difference(run, other, engine, go) {
  const text = h("div", {}, "Comparing …");
  let asked = false;
  const ask = async (e) => {
    if (!e.target.open || asked) return;
    asked = true;
    try {
      const answer = await engine.ask("compare", { archives: [run.archive, other.archive] });
      const [first] = answer.parts || [];
      const there = first ? h("button", { onclick: () => go(first) }, "Show the first difference") : "";
      text.replaceChildren(there, h("pre", {}, answer.text));
    } catch (failure) {
      asked = false;
      text.textContent = failure.message + " " + (failure.hint || "");
    }
  };
  return h("details", { ontoggle: ask }, h("summary", {}, "Where the two runs diverge"), text);
}
