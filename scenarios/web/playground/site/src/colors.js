// The colors of the editor are the variables of the page, so that they are light or dark with it.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const mono = 'ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace';
const selected = "color-mix(in srgb, var(--now) 28%, var(--back))";

const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--back)", height: "100%", fontSize: "14px" },
  "&.cm-focused": { outline: "3px solid var(--now)", outlineOffset: "-3px" },
  ".cm-scroller": { fontFamily: mono, lineHeight: "1.45", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--dim)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--now) 7%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: selected },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--pending) 25%, transparent)" },
  ".cm-foldPlaceholder": { background: "var(--track)", color: "var(--text)", border: "none" },
  ".cm-tooltip, .cm-panels": {
    backgroundColor: "var(--panel)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--now)", color: "var(--back)" },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal", opacity: "0.85" },
  ".cm-tooltip .about": { whiteSpace: "pre-line", padding: "6px 9px", maxWidth: "42ch", fontFamily: "system-ui, sans-serif" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", fontFamily: "system-ui, sans-serif" },
  // Signs rather than pictures: the Content-Security-Policy allows no data: addresses, and color is not the only carrier.
  ".cm-lint-marker": { width: "1em", textAlign: "center", fontWeight: "bold" },
  ".cm-lint-marker-error": { content: "normal", color: "var(--failed)" },
  ".cm-lint-marker-error::before": { content: '"✗"' },
  ".cm-lint-marker-warning": { content: "normal", color: "var(--pending)" },
  ".cm-lint-marker-warning::before": { content: '"▲"' },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy 2px var(--failed)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy 2px var(--pending)" },
  ".cm-specialChar": { color: "var(--failed)", outline: "1px solid var(--failed)" },
  ".cm-textfield, .cm-button": { background: "var(--back)", color: "var(--text)", border: "1px solid var(--line)" },
});

const syntax = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--now)" },
  { tag: [tags.string, tags.content], color: "var(--text)" },
  { tag: [tags.special(tags.string), tags.quote], color: "var(--ready)" },
  { tag: [tags.lineComment, tags.meta], color: "var(--dim)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.atom, tags.keyword], color: "var(--note)" },
  { tag: [tags.separator, tags.punctuation, tags.brace, tags.squareBracket], color: "var(--dim)" },
]);

export const colors = [theme, syntaxHighlighting(syntax)];
