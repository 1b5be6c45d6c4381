import { createDocument } from "../../api/documents.js";
import { ServerError } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { documentUrl, useGo, useSearchState } from "../../app/places.js";
import { useSaveKey } from "../../app/saveKey.js";
import { CodeEditor } from "../../editor/codeEditor.js";
import { languageFor } from "../../editor/jsonLanguage.js";
import { textOf } from "../../editor/longText.js";
import { runJob } from "../../json/jsonWork.js";
import { Button } from "../../ui/button.js";
import { ErrorBox } from "../../ui/states.js";
import { useTask } from "../../ui/useTask.js";
import { marksOf } from "./editorChecks.js";
import { jsx, jsxs, useRef, useState } from "../../vendor/react.js";

// src/pages/document/newDocument.tsx
/** Writes a document that is not there yet. An id that ends in a slash is completed by the server. */
function NewDocument({ database, collection, copied }) {
	const go = useGo();
	const { id: wanted } = useSearchState();
	const editor = useRef(null);
	const [id, setId] = useState(wanted ?? idPrefix(copied?.id, collection));
	const { isBusy, error, run, dismiss } = useTask();
	const [initial] = useState(() => copied?.lines ?? emptyText(collection));
	const save = async () => {
		if (!isBusy && id !== "") await run(async () => {
			const lines = editor.current?.lines();
			const text = lines ? await textOf(lines) : initial.toString();
			const written = await createDocument(database, id, await runJob("pack", text));
			announce(`${written.id} is stored.`);
			go(documentUrl(database, written.id));
		});
	};
	useSaveKey(() => void save());
	const isThere = error instanceof ServerError && error.status === 409;
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "New document" }),
					/* @__PURE__ */ jsxs("label", {
						className: "field inline",
						children: [/* @__PURE__ */ jsx("span", { children: "Id" }), /* @__PURE__ */ jsx("input", {
							value: id,
							className: "mono",
							size: 32,
							spellCheck: false,
							autoComplete: "off",
							onChange: (event) => setId(event.target.value)
						})]
					}),
					/* @__PURE__ */ jsx("span", {
						className: "hint",
						children: id.endsWith("/") ? "The server puts a number behind the slash." : ""
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "save",
						keys: "Ctrl S",
						isBusy,
						refusal: id === "" ? "Give it an id first." : void 0,
						onClick: () => void save(),
						children: "Save"
					})
				]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: isThere ? `${id} is there already: nothing was written` : "It was not written",
				error,
				onDismiss: dismiss
			}),
			/* @__PURE__ */ jsx(CodeEditor, {
				handle: editor,
				name: "The new document as JSON",
				initial,
				...languageFor(initial.length),
				keys: { "Mod-s": () => void save() },
				marks: marksOf(error)
			})
		]
	});
}
function idPrefix(copied, collection) {
	const slash = copied?.lastIndexOf("/") ?? -1;
	if (copied && slash > 0) return copied.slice(0, slash + 1);
	return collection && !collection.startsWith("@") ? `${collection.charAt(0).toLowerCase()}${collection.slice(1)}/` : "";
}
function emptyText(collection) {
	const name = collection && !collection.startsWith("@") ? collection : "Things";
	return `{\n  "Name": "",\n  "@metadata": {\n    "@collection": ${JSON.stringify(name)}\n  }\n}`;
}

export { NewDocument };