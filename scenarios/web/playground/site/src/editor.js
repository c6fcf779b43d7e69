// The editor: CodeMirror with YAML, the schema's completion, and the positions of errors.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { explain, suggest } from "./complete.js";
import { colors } from "./colors.js";

// mostDiagnostics is how many errors are marked; the list below the editor has all.
const mostDiagnostics = 100;

// editor is an editor in an element. changed is called when the reader has changed the text, run for Ctrl-Enter.
//
// It lives in a shadow root: there, CodeMirror adds its styles in a way that a Content-Security-Policy without inline styles allows.
export function editor(host, text, { changed, run }) {
  const root = host.attachShadow({ mode: "open" });
  const quiet = new Compartment();
  let loading = false;
  const extensions = [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    autocompletion({ override: [suggest], icons: false }),
    hoverTooltip(explain),
    yaml(),
    indentUnit.of("  "),
    colors,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "scenario, YAML", "aria-describedby": "editor-help" }),
    EditorView.updateListener.of((update) => update.docChanged && !loading && changed()),
    // Ctrl-Enter is the page's; Tab indents until Escape is pressed, which CodeMirror then leaves to the browser.
    keymap.of([
      { key: "Mod-Enter", run: () => (run(), true) },
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
      indentWithTab,
    ]),
    quiet.of([]),
  ];
  const state = (doc) => EditorState.create({ doc, extensions });
  const view = new EditorView({ parent: root, root, state: state(text) });
  return {
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    // open replaces the text with that of another scenario, and what could be undone.
    open: (doc) => {
      loading = true;
      view.setState(state(doc));
      loading = false;
    },
    // append writes a text behind all others, and goes there.
    append: (text) => {
      const { doc } = view.state;
      const insert = (doc.length && doc.lineAt(doc.length).text ? "\n" : "") + text;
      view.dispatch({
        changes: { from: doc.length, insert },
        selection: { anchor: doc.length + insert.length },
        scrollIntoView: true,
      });
      view.focus();
    },
    // mark shows errors at their places.
    mark: (errors) => {
      const marks = errors.slice(0, mostDiagnostics).map((error) => ({ ...span(view.state.doc, error), ...diagnostic(error) }));
      view.dispatch(setDiagnostics(view.state, marks));
    },
    // show goes to the place of an error.
    show: (error) => {
      view.dispatch({ selection: { anchor: span(view.state.doc, error).from }, scrollIntoView: true });
      view.focus();
    },
  };
}

const diagnostic = ({ severity, message, try: hint }) => ({
  severity: severity === "warning" ? "warning" : "error",
  message: hint ? message + "\nTry: " + hint : message,
});

// span are the characters that an error is about: from its column to the end of the word. Columns count from 1; 0 is the whole line.
function span(doc, { line, column }) {
  if (!line || line < 1 || line > doc.lines) return { from: 0, to: Math.min(1, doc.length) };
  const { from, to, text } = doc.line(line);
  const at = Math.min(from + Math.max((column || 1) - 1, 0), to);
  if (!column) return { from: from + Math.max(text.search(/\S/), 0), to };
  const word = /^("[^"]*"|'[^']*'|[^\s,:{}[\]]+)/.exec(text.slice(at - from));
  return { from: at, to: word ? at + word[0].length : to };
}
