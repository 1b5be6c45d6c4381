import { EditorView, type Extension, HighlightStyle, syntaxHighlighting, tags } from "./codemirror";

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--info)" },
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword],
    color: "var(--chart-4)",
    fontWeight: "600",
  },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--text-3)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--stale)" },
  { tag: tags.special(tags.variableName), color: "var(--chart-4)" },
  { tag: tags.invalid, color: "var(--bad)", textDecoration: "underline" },
]);

/** What editors look like: the colors of the page, in both themes. */
export const editorTheme: Extension = [
  EditorView.theme({
    "&": { height: "100%", fontSize: "12.5px", color: "var(--text)", backgroundColor: "var(--bg)" },
    "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
    ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
    ".cm-cursor": { borderLeftColor: "var(--text)" },
    ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--text-3)", borderRight: "1px solid var(--line)" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--hover) 55%, transparent)" },
    ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
      backgroundColor: "var(--selected)",
    },
    ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--stale) 25%, transparent)" },
    ".cm-matchingBracket": { backgroundColor: "var(--selected)", outline: "1px solid var(--border)" },
    ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)", borderColor: "var(--line)" },
    ".cm-panels input, .cm-panels button": {
      color: "var(--text)",
      background: "var(--bg)",
      border: "1px solid var(--border)",
    },
    ".cm-tooltip": {
      backgroundColor: "var(--bg)",
      color: "var(--text)",
      border: "1px solid var(--border)",
      boxShadow: "var(--shadow)",
    },
    // Fourteen options are drawn and the arrow keys move through them: there is nothing to scroll that keys do not reach.
    ".cm-tooltip.cm-tooltip-autocomplete > ul": { maxHeight: "none", overflow: "hidden" },
    ".cm-tooltip-autocomplete ul li": { padding: "3px 8px" },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--selected)", color: "var(--text)" },
    ".cm-completionDetail": { color: "var(--text-3)", fontStyle: "normal" },
    // CodeMirror's own sign has no letter in many fonts, and its colors are those of a light page.
    "& .cm-collapsedLines": {
      background: "var(--panel)",
      color: "var(--text-2)",
      "&:before, &:after": { content: '"↕"' },
    },
    ".cm-foldPlaceholder": { backgroundColor: "var(--hover)", color: "var(--text-2)", border: "1px solid var(--line)" },
    ".cm-placeholder": { color: "var(--text-3)" },
  }),
  syntaxHighlighting(highlight),
];
