import { databasePath, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { lazyPart } from "../../app/lazyPart.js";
import { useDatabase, useSearchState, useSetSearch } from "../../app/places.js";
import { CodeEditor } from "../../editor/codeEditor.js";
import { rqlLanguage } from "../../editor/rqlLanguage.js";
import { member, textMember } from "../../json/jsonTree.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/dialog.js";
import { plural } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { useTask } from "../../ui/useTask.js";
import { OperationBar } from "../operations/operationBar.js";
import { queryBody, readResult } from "../query/queryModel.js";
import { useQuerySchema } from "../query/useQuerySchema.js";
import { readTrial, trialScript, updateParts } from "./patchModel.js";
import { Suspense, jsx, jsxs, useMemo, useRef, useState } from "../../vendor/react.js";

// src/pages/patch/patchPage.tsx
const DiffView = lazyPart(() => import("../../editor/diffView.js").then((module) => module.DiffView));
const FIRST = "from Orders as o\nwhere o.Freight > 100\nupdate {\n  o.IsLarge = true;\n}";
/** Changes many documents by a script: tried on one first, counted, and run only when the count was typed. */
function PatchPage() {
	const database = useDatabase();
	const { q = FIRST, operation } = useSearchState();
	const setSearch = useSetSearch();
	const editor = useRef(null);
	const [initial] = useState(q);
	const [text, setText] = useState(q);
	const [trial, setTrial] = useState();
	const [count, setCount] = useState();
	const { isBusy, error, run, dismiss } = useTask();
	const schema = useQuerySchema(database, text, NO_PARAMETERS);
	const language = useMemo(() => rqlLanguage(schema), [schema]);
	const parts = useMemo(() => updateParts(text), [text]);
	const refusal = parts ? void 0 : "Write a query with update { … } first.";
	const tryOne = () => run(async () => {
		if (!parts) return;
		setTrial(void 0);
		const found = readResult((await send("POST", databasePath(database, "queries"), { body: queryBody(parts.find, {}, 0) })).text);
		const id = textMember(member(found.rows[0], "@metadata"), "@id");
		if (id === void 0) throw new Error("The query finds no document to try it on.");
		const body = { Patch: {
			Script: trialScript(parts),
			Values: {}
		} };
		const answer = await send("PATCH", databasePath(database, "docs"), {
			query: {
				id,
				test: true
			},
			body
		});
		setTrial(readTrial(answer.text));
		announce(`It was tried on ${id}; nothing was written.`);
	});
	const ask = () => run(async () => {
		if (parts) {
			const body = queryBody(parts.find, {}, 0);
			setCount(readResult((await send("POST", databasePath(database, "queries"), { body })).text).total);
		}
	});
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Patch" }),
					/* @__PURE__ */ jsx("span", {
						className: "hint",
						children: "Nothing is written before the count of documents was typed."
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						icon: "eye",
						isBusy,
						refusal,
						onClick: () => void tryOne(),
						children: "Try on one"
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "play",
						isBusy,
						refusal,
						onClick: () => void ask(),
						children: "Run…"
					})
				]
			}),
			/* @__PURE__ */ jsx("div", {
				className: "query-editor",
				children: /* @__PURE__ */ jsx(CodeEditor, {
					handle: editor,
					name: "Query with an update",
					initial,
					language,
					onChange: (next) => {
						setText(next);
						setSearch({ q: next });
					}
				})
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				error,
				onDismiss: dismiss
			}),
			operation && /* @__PURE__ */ jsx(OperationBar, {
				database,
				id: operation,
				title: "Patch",
				onClose: () => setSearch({ operation: void 0 })
			}, operation),
			trial ? /* @__PURE__ */ jsx(Trial, { trial }) : /* @__PURE__ */ jsx(Empty, {
				icon: "wand",
				title: "Change many documents by one script",
				children: "“Try on one” shows what it would do to the first document that the query finds."
			}),
			/* @__PURE__ */ jsx(Confirm, {
				title: "Run the patch",
				isOpen: count !== void 0,
				first: `${plural(count ?? 0, "document")} are changed. There is no way back, but their revisions if they have some.`,
				action: `Change ${plural(count ?? 0, "document")}`,
				typed: String(count ?? 0),
				onClose: () => setCount(void 0),
				onConfirm: async () => {
					const answer = await send("PATCH", databasePath(database, "queries"), { body: { Query: { Query: text } } });
					setSearch({ operation: String(JSON.parse(answer.text).OperationId) });
				}
			})
		]
	});
}
const NO_PARAMETERS = [];
function Trial({ trial }) {
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "row padded",
				children: [/* @__PURE__ */ jsx("strong", { children: trial.status }), /* @__PURE__ */ jsx("span", {
					className: "muted",
					children: "Nothing was written."
				})]
			}),
			trial.output.length > 0 && /* @__PURE__ */ jsxs("section", {
				className: "padded",
				"aria-label": "Output of the script",
				children: [/* @__PURE__ */ jsx("h2", { children: "Output" }), /* @__PURE__ */ jsx("pre", { children: trial.output.join("\n") })]
			}),
			/* @__PURE__ */ jsx(Suspense, {
				fallback: /* @__PURE__ */ jsx(Loading, { what: "the difference" }),
				children: /* @__PURE__ */ jsx(DiffView, {
					name: "What it would change",
					before: trial.before,
					after: trial.after
				})
			})
		]
	});
}

export { PatchPage };