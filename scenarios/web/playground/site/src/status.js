// What the engine does: in the bar for the eye, and in fewer words for screen readers.
import { h } from "player";

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
export const seconds = (s) => (s < 600 ? s.toFixed(3) + "s" : s < 7200 ? (s / 60).toFixed(1) + "m" : (s / 3600).toFixed(1) + "h");

export function status(host) {
  const bar = h("progress", { "aria-label": "progress", hidden: true });
  const text = h("span", { class: "text" });
  const quiet = h("div", { class: "quiet", role: "status", "aria-live": "polite" });
  host.append(h("div", { class: "status" }, bar, text), quiet);
  let said = "";
  const show = (words, { value, busy, aloud } = {}) => {
    text.textContent = words;
    bar.hidden = !busy;
    if (value === undefined) bar.removeAttribute("value");
    else bar.value = value;
    if (aloud && aloud !== said) quiet.textContent = said = aloud;
  };
  return {
    show,
    // loading is said aloud once per quarter.
    loading: ({ got, total, phase }) => {
      if (phase === "compile") return show("Compiling the engine …", { busy: true, aloud: "compiling the engine" });
      const known = total > 0 && got <= total;
      const words = `Loading kube-controller-manager: ${megabytes(got)}${known ? " of " + megabytes(total) : ""} MB`;
      const quarter = known ? `loading, ${25 * Math.floor((4 * got) / total)} %` : "loading";
      show(words, { busy: true, value: known ? got / total : undefined, aloud: quarter });
    },
    running: (what, now, records) => {
      const words = records ? `${what}: ${seconds(now)} of virtual time, ${records.toLocaleString("en")} records` : what + " …";
      show(words, { busy: true, aloud: "running " });
    },
    done: (words) => show(words, { aloud: words }),
  };
}
