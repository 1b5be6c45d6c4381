import { CodeEditor } from "./codeEditor.js";
import { jsonLanguage } from "./jsonLanguage.js";
import { jsx, useMemo } from "../vendor/react.js";
import { unifiedMergeView } from "../vendor/merge.js";

// src/editor/diffView.tsx
/** Two versions of a text, one in the other: what went and what came. */
function DiffView({ name, before, after, language = jsonLanguage }) {
	const extensions = useMemo(() => [language, unifiedMergeView({
		original: before,
		mergeControls: false,
		collapseUnchanged: {
			margin: 3,
			minSize: 6
		}
	})], [before, language]);
	return /* @__PURE__ */ jsx(CodeEditor, {
		name,
		initial: after,
		language: extensions,
		isReadOnly: true
	}, `${before}\0${after}`);
}

export { DiffView };