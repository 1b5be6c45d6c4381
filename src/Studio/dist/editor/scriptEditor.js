import { CodeEditor } from "./codeEditor.js";
import { jsx, useMemo } from "../vendor/react.js";
import { javascript } from "../vendor/javascript.js";
import { csharp } from "../vendor/csharp.js";

// src/editor/scriptEditor.tsx
/** An editor of JavaScript or C#, by what the text looks like. */
function ScriptEditor({ name, initial, isReadOnly, onChange, onSave }) {
	const isCSharp = /^\s*(from\s+\w+\s+in\s|docs\b|results\b)/.test(initial);
	const language = useMemo(() => isCSharp ? csharp() : javascript(), [isCSharp]);
	return /* @__PURE__ */ jsx(CodeEditor, {
		name,
		initial,
		language,
		isReadOnly,
		onChange,
		keys: { "Mod-s": onSave }
	});
}

export { ScriptEditor };