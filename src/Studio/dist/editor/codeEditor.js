import { Compartment, EditorState, EditorView, Prec, Text, bracketMatching, closeBrackets, closeBracketsKeymap, completionKeymap, defaultKeymap, drawSelection, foldGutter, foldKeymap, highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, history, historyKeymap, indentOnInput, indentWithTab, keymap, lineNumbers, lintGutter, placeholder, searchKeymap, setDiagnostics } from "./codemirror.js";
import { pageNonce } from "./nonce.js";
import { editorTheme } from "./theme.js";
import { jsx, useEffect, useImperativeHandle, useRef } from "../vendor/react.js";

// src/editor/codeEditor.tsx
/** An editor of code. Tab indents; after Esc the next Tab leaves it. */
function CodeEditor(props) {
	const place = useRef(null);
	const view = useRef(null);
	const current = useRef(props);
	current.current = props;
	const mode = useRef(new Compartment());
	useEffect(() => {
		if (!place.current) return;
		const made = new EditorView({
			parent: place.current,
			state: EditorState.create({
				doc: current.current.initial,
				extensions: [
					mode.current.of(current.current.language),
					EditorView.cspNonce.of(pageNonce()),
					EditorView.contentAttributes.of({
						"aria-label": current.current.name,
						tabindex: "0"
					}),
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
					editorTheme
				]
			})
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
			const end = made.state.doc.length;
			const shown = (props.marks ?? []).filter((mark) => end > 0 && Number.isFinite(mark.from + mark.to)).map((mark) => {
				const from = Math.max(0, Math.min(mark.from, end - 1));
				return {
					...mark,
					from,
					to: Math.min(Math.max(mark.to, from + 1), end)
				};
			});
			made.dispatch(setDiagnostics(made.state, shown));
		}
	}, [props.marks]);
	useImperativeHandle(props.handle, () => ({
		text: () => view.current?.state.doc.toString() ?? current.current.initial.toString(),
		lines: () => view.current?.state.doc ?? asLines(current.current.initial),
		replace: (text) => {
			const made = view.current;
			made?.dispatch({ changes: {
				from: 0,
				to: made.state.doc.length,
				insert: text
			} });
		},
		focus: () => view.current?.focus(),
		select: (from, to) => {
			const end = view.current?.state.doc.length ?? 0;
			view.current?.dispatch({
				selection: {
					anchor: Math.min(from, end),
					head: Math.min(to, end)
				},
				scrollIntoView: true
			});
			view.current?.focus();
		}
	}));
	return /* @__PURE__ */ jsx("div", {
		className: "editor",
		ref: place
	});
}
function asLines(text) {
	return typeof text === "string" ? Text.of(text.split("\n")) : text;
}
function ownKeys(current) {
	const bindings = Object.keys(current.current.keys ?? {}).map((key) => ({
		key,
		preventDefault: true,
		run: () => {
			current.current.keys?.[key]?.();
			return true;
		}
	}));
	return Prec.highest(keymap.of(bindings));
}
function basics(isPlain) {
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
			indentWithTab
		])
	];
	return isPlain ? always : [
		always,
		foldGutter(),
		indentOnInput(),
		bracketMatching(),
		closeBrackets(),
		highlightActiveLine(),
		highlightSelectionMatches()
	];
}

export { CodeEditor };