package browsertest

// unnamed are the controls without a name, and faint the texts with less contrast than 4.5:1 by the formula of WCAG 2.
const (
	unnamed = `[...document.querySelectorAll("button, input, select, progress, dialog")].filter((e) =>
		!e.textContent.trim() && !e.getAttribute("aria-label") && !(e.labels && e.labels.length)).map((e) => e.outerHTML).join(" ")`
	faint = `(() => {
		const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
		const rgba = (color) => {
			canvas.clearRect(0, 0, 1, 1);
			canvas.fillStyle = color;
			canvas.fillRect(0, 0, 1, 1);
			return [...canvas.getImageData(0, 0, 1, 1).data];
		};
		const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => {
			const v = c[i] / 255;
			return sum + part * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		}, 0);
		const up = (e) => e.parentElement || (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
		const behind = (e) => {
			for (; e; e = up(e)) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; }
			return [255, 255, 255];
		};
		const found = [];
		for (const root of [document, ...[...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean)]) {
			for (const e of root.querySelectorAll("*")) {
				const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
				if (!own || !e.checkVisibility() || e.closest("style, .pod")) continue;
				const [a, b] = [light(rgba(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
				if ((a + 0.05) / (b + 0.05) < 4.5) found.push(e.tagName + "." + e.className + " " + e.textContent.slice(0, 30));
			}
		}
		return found.join("; ");
	})()`
)

// Unnamed lists the controls without a name; empty if there are none.
func (b *Tab) Unnamed() string {
	b.Helper()
	return b.Ask(unnamed)
}

// Faint lists the texts with too little contrast; empty if there are none.
func (b *Tab) Faint() string {
	b.Helper()
	return b.Ask(faint)
}
