import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import {
  bracketMatching,
  Compartment,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type Diagnostic,
  defaultKeymap,
  drawSelection,
  EditorState,
  EditorView,
  type Extension,
  foldGutter,
  foldKeymap,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSelectionMatches,
  highlightSpecialChars,
  history,
  historyKeymap,
  indentOnInput,
  indentWithTab,
  keymap,
  lineNumbers,
  lintGutter,
  Prec,
  placeholder,
  searchKeymap,
  setDiagnostics,
  Text,
} from "./codemirror";
import { pageNonce } from "./nonce";
import { editorTheme } from "./theme";

/** A place with something to say of it. */
export interface EditorMark {
  readonly from: number;
  readonly to: number;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
}

/** What an owner may do with an editor. */
export interface EditorHandle {
  text(): string;
  /** The text as its lines, which never change: an edit makes others. */
  lines(): Text;
  /** Replaces the text as one step that can be undone. */
  replace(text: string | Text): void;
  focus(): void;
  /** Shows a place. */
  select(from: number, to: number): void;
}

interface CodeEditorProps {
  name: string;
  /** The text at the start; another key makes another editor. */
  initial: string | Text;
  /** The language and its completion. */
  language: Extension;
  onChange?: (text: string) => void;
  /** As onChange, without putting a long text together at each key. */
  onLines?: (lines: Text) => void;
  /** Keys and what they do, such as Mod-s. */
  keys?: Readonly<Record<string, () => void>>;
  marks?: readonly EditorMark[];
  isReadOnly?: boolean;
  hint?: string;
  handle?: Ref<EditorHandle>;
  /** Whether to do without what costs time in a long text. */
  isPlain?: boolean;
}

/** An editor of code. Tab indents; after Esc the next Tab leaves it. */
export function CodeEditor(props: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const current = useRef(props);
  current.current = props;
  const mode = useRef(new Compartment());

  useEffect(() => {
    if (!place.current) {
      return undefined;
    }
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: current.current.initial,
        extensions: [
          mode.current.of(current.current.language),
          EditorView.cspNonce.of(pageNonce()),
          EditorView.contentAttributes.of({ "aria-label": current.current.name, tabindex: "0" }),
          EditorState.readOnly.of(current.current.isReadOnly ?? false),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) {
              const { onChange, onLines } = current.current;
              onChange?.(update.state.doc.toString());
              onLines?.(update.state.doc);
            }
          }),
          ownKeys(current),
          current.current.hint ? placeholder(current.current.hint) : [],
          basics(current.current.isPlain ?? false),
          editorTheme,
        ],
      }),
    });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, []);

  useEffect(() => {
    view.current?.dispatch({ effects: mode.current.reconfigure(props.language) });
  }, [props.language]);

  useEffect(() => {
    const made = view.current;
    if (made) {
      // A place at the end of the text is shown on its last character: an empty one could not be seen.
      const end = made.state.doc.length;
      // The lint package loops for ever over a place that is no number.
      const marks = (props.marks ?? []).filter((mark) => end > 0 && Number.isFinite(mark.from + mark.to));
      const shown = marks.map((mark): Diagnostic => {
        const from = Math.max(0, Math.min(mark.from, end - 1));
        return { ...mark, from, to: Math.min(Math.max(mark.to, from + 1), end) };
      });
      made.dispatch(setDiagnostics(made.state, shown));
    }
  }, [props.marks]);

  useImperativeHandle(props.handle, () => ({
    text: () => view.current?.state.doc.toString() ?? current.current.initial.toString(),
    lines: () => view.current?.state.doc ?? asLines(current.current.initial),
    replace: (text) => {
      const made = view.current;
      made?.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: text } });
    },
    focus: () => view.current?.focus(),
    select: (from, to) => {
      const end = view.current?.state.doc.length ?? 0;
      view.current?.dispatch({
        selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
        scrollIntoView: true,
      });
      view.current?.focus();
    },
  }));

  return <div className="editor" ref={place} />;
}

function asLines(text: string | Text): Text {
  return typeof text === "string" ? Text.of(text.split("\n")) : text;
}

function ownKeys(current: { readonly current: CodeEditorProps }): Extension {
  const bindings = Object.keys(current.current.keys ?? {}).map((key) => ({
    key,
    preventDefault: true,
    run: () => {
      current.current.keys?.[key]?.();
      return true;
    },
  }));
  return Prec.highest(keymap.of(bindings));
}

function basics(isPlain: boolean): Extension {
  const always = [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    lintGutter(),
    EditorState.tabSize.of(2),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      indentWithTab,
    ]),
  ];
  return isPlain
    ? always
    : [
        always,
        foldGutter(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
      ];
}
