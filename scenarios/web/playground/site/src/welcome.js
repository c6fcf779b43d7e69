// What stands in the place of the player until there is a run.
import { h } from "player";

export const welcome = (run) =>
  h(
    "div",
    { class: "welcome" },
    h("h2", {}, "The real kube-controller-manager, in this tab"),
    h("p", {}, "No cluster, no server: Kubernetes' own controllers, compiled for the browser, against a simulated cluster."),
    h(
      "ol",
      {},
      h("li", {}, "Choose a scenario, or change this one."),
      h("li", {}, "Run it. Every request and every decision becomes a step that you can look at."),
      h("li", {}, "Change a number: what if maxSurge were 0? The two runs stand side by side."),
      h("li", {}, "Copy the link. It opens the same run at the same place for anybody, with the same trace hash."),
    ),
    h("button", { class: "main", onclick: run }, "▶ Run this scenario"),
  );
