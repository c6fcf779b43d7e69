// The task that a learner solves in this tab: its goal, its hints one after the other, the steps that one may take, and what the checks say
// of the last run.
import { h } from "player";
import { save } from "./save.js";

// taskIn is the name of the task that a text is about; "" for a scenario.
export const taskIn = (text) => (/^task:\s*([a-z0-9-]+)\s*$/m.exec(text) || [])[1] || "";

// task shows the task of a text. insert is called with a step to write, restart to begin the task again, failed with what goes wrong.
export function task(host, { insert, restart }) {
  let shown = "",
    requests = [];
  const panel = h("div", { class: "task", hidden: true });
  host.append(panel);
  const checks = h("div", { class: "checks", role: "status", "aria-live": "polite" });

  const hints = (all) => {
    let told = 0;
    const list = h("ol", { class: "hints" });
    const button = h("button", {
      onclick: () => {
        list.append(h("li", {}, all[told++]));
        say();
      },
    });
    const say = () => {
      button.textContent = told ? `Next hint (${told} of ${all.length})` : `Hint (${all.length})`;
      button.disabled = told === all.length;
    };
    say();
    return { button, list };
  };

  const draw = (entry) => {
    const hint = hints(entry.hints || []);
    const select = h(
      "select",
      {
        "aria-label": "insert a step",
        onchange: () => {
          const chosen = requests.find((r) => r.verb === select.value);
          select.value = "";
          if (chosen) insert(chosen.example);
        },
      },
      h("option", { value: "" }, "Insert a step …"),
      requests.map((r) => h("option", { value: r.verb, title: r.about }, r.verb)),
    );
    checks.replaceChildren(
      h("span", { class: "dim" }, "Run: the cluster begins as it is, your steps follow, and the checks say what is left."),
    );
    panel.replaceChildren(
      h("h3", {}, entry.title, h("span", { class: "dim" }, " · task, " + entry.level)),
      h("p", {}, entry.about.replace(/\s+/g, " ")),
      h("div", { class: "tools" }, select, hint.button, h("button", { onclick: restart }, "Start over")),
      hint.list,
      checks,
    );
  };

  return {
    // know tells the steps that there are.
    know: (all) => (requests = all || []),
    // show shows a task, or none if there is no entry.
    show: (entry) => {
      const name = entry ? entry.name : "";
      panel.hidden = !entry;
      document.body.toggleAttribute("data-task", Boolean(entry));
      if (entry && name !== shown) draw(entry);
      shown = name;
    },
    // grade shows the report of a run; stale ones are those of other steps.
    grade: (report) => {
      const passed = report.checks.filter((c) => c.passed).length;
      const line = (c) =>
        h(
          "li",
          { class: c.passed ? "right" : "wrong" },
          (c.passed ? "✓ " : "✗ ") + c.name,
          !c.passed && c.message ? h("small", {}, c.message) : null,
        );
      const text = () => save(report.task + "-report.json", "application/json", JSON.stringify(report, null, 2) + "\n");
      checks.replaceChildren(
        h(
          "b",
          { class: report.passed ? "right" : "" },
          report.passed ? "✓ Solved. " : `${passed} of ${report.checks.length} checks pass. `,
        ),
        h("button", { title: "a file for kubestep practice verify", onclick: text }, "Download the report"),
        h("ul", {}, report.checks.map(line)),
      );
    },
  };
}
