import { CodeEditor } from "../../editor/codeEditor.js";
import { textOf } from "../../editor/longText.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { safeFileName, saveFile } from "../../ui/saveFile.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/document/documentView.tsx
/** A document that is too long to be edited here: its text, to be read and taken away. */
function DocumentView({ stored }) {
	const { id, lines } = stored;
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [/* @__PURE__ */ jsxs("div", {
			className: "page-head",
			children: [
				/* @__PURE__ */ jsx("h1", {
					className: "mono ellipsis",
					title: id,
					children: id
				}),
				/* @__PURE__ */ jsx(Chip, {
					tone: "info",
					title: "It has more than 20 MB: a patch or a client changes it.",
					children: "only to be read"
				}),
				/* @__PURE__ */ jsx("span", { className: "grow" }),
				/* @__PURE__ */ jsx(Button, {
					icon: "download",
					onClick: () => void textOf(lines).then((text) => saveFile(new Blob([text], { type: "application/json" }), `${safeFileName(id)}.json`)),
					children: "Download"
				})
			]
		}), /* @__PURE__ */ jsx(CodeEditor, {
			name: `${id} as JSON`,
			initial: lines,
			language: NO_LANGUAGE,
			isPlain: true,
			isReadOnly: true
		})]
	});
}
const NO_LANGUAGE = [];

export { DocumentView };