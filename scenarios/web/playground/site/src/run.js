// A run: a scenario, a seed, and the numbers that it changes. The same ones always give the same run.

// changesOf says what a run changes, as in "maxSurge 0, seed 2"; "" for the scenario as it is.
export function changesOf({ seed, vary, branch }) {
  const { maxSurge, maxUnavailable, ready, replicas } = vary || {};
  const parts = [
    branch,
    maxSurge && "maxSurge " + maxSurge,
    maxUnavailable && "maxUnavailable " + maxUnavailable,
    ready && "ready after " + ready,
    replicas && "replicas " + replicas,
    seed && "seed " + seed,
  ];
  return parts.filter(Boolean).join(", ");
}

// same reports whether two requests give the same run.
export const same = (a, b) => a.text === b.text && a.seed === b.seed && numbers(a.vary) === numbers(b.vary);
const numbers = (vary) => JSON.stringify(Object.entries(vary || {}).sort());

// instant is a place in a run without its record, whose number another run has for something else; "" at the start.
export function instant(place) {
  const q = new URLSearchParams(place);
  q.delete("n");
  return q.get("t") === "0" ? "" : q.toString();
}

// kept is what the page keeps of a run: what was asked for, the answer of the engine, and its names.
export function kept(asked, { name, hash, verdict, summary, data, archive, text, report }) {
  const file = (name || "").replace(/[^a-z0-9-]/g, "") || "scenario";
  // A scenario that comes with kubestep needs no file. What ran for a task is its scenario with the steps of the learner.
  const plain = Boolean(asked.name && !asked.vary && !report);
  const command = `kubestep run ${plain ? asked.name : file + ".yaml"}${asked.seed ? " --seed " + asked.seed : ""}`;
  const label = asked.name || file + ", edited";
  return {
    ...asked,
    hash,
    verdict,
    summary,
    data,
    archive,
    report,
    plain,
    file,
    command,
    label,
    changes: changesOf(asked),
    ran: text || asked.text,
  };
}

// judged is the verdict in words. The checks of a scenario are about its own numbers: a branch may well fail them. It should not be stuck
// or hot.
export function judged({ verdict, vary, branch, data, report }) {
  if (report && verdict !== "error") {
    return report.passed
      ? { mark: "✓", words: "solved: all checks hold", tone: "right" }
      : { mark: "≠", words: "not solved yet", tone: "wait" };
  }
  if (verdict === "pass") return { mark: "✓", words: "pass: all checks hold", tone: "right" };
  if (verdict === "error") return { mark: "!", words: "the run broke off", tone: "wrong" };
  if (verdict !== "fail") return { mark: "✗", words: data.verdict.word, tone: "wrong" };
  if (branch) return { mark: "≠", words: "not all checks of the scenario hold in this branch", tone: "wait" };
  if (vary) return { mark: "≠", words: "not all checks of the scenario hold with these numbers", tone: "wait" };
  return { mark: "✗", words: "a check failed", tone: "wrong" };
}
