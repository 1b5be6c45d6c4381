import { databasePath, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { lazyPart } from "../../app/lazyPart.js";
import { databasePlace, placeUrl, useGo } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { ErrorBox, Loading } from "../../ui/states.js";
import { useTask } from "../../ui/useTask.js";
import { definitionText } from "./definitionText.js";
import { useQueryClient } from "../../vendor/query.js";
import { Fragment, Suspense, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/indexes/indexEditor.tsx
const ScriptEditor = lazyPart(() => import("../../editor/scriptEditor.js").then((module) => module.ScriptEditor));
const DiffView = lazyPart(() => import("../../editor/diffView.js").then((module) => module.DiffView));
/** On the tints of what went and came, colors of words would be too faint. */
const NO_COLORS = [];
const FIRST_MAP = "map(\"Orders\", order => ({\n  Company: order.Company,\n  Freight: order.Freight\n}))";
/** The maps and the reduce of an index, or of a new one. A changed index is built beside the old one, which answers until then. */
function IndexEditor({ database, definition }) {
	const client = useQueryClient();
	const go = useGo();
	const [name, setName] = useState(definition?.Name ?? "");
	const [maps, setMaps] = useState(definition?.Maps ?? [FIRST_MAP]);
	const [reduce, setReduce] = useState(definition?.Reduce ?? "");
	const { isBusy, error, run, dismiss } = useTask();
	const [isCompared, setCompared] = useState(false);
	const isAuto = definition?.Type.startsWith("Auto") ?? false;
	const isChanged = !definition || maps.join("\0") !== definition.Maps.join("\0") || reduce !== (definition.Reduce ?? "");
	const save = async () => {
		if (!isBusy && name !== "" && isChanged && !isAuto) await run(async () => {
			const written = {
				...definition,
				Name: name,
				Maps: maps.filter((map) => map.trim() !== ""),
				Reduce: reduce.trim() === "" ? null : reduce
			};
			await send("PUT", databasePath(database, "admin/indexes"), { body: { Indexes: [written] } });
			announce(`${name} is stored and being built.`);
			await client.invalidateQueries({ queryKey: ["index-definition", database] });
			if (!definition) go(placeUrl(databasePlace(database, "index"), { name }));
		});
	};
	const refusal = isAuto ? "The server made this index of queries: it changes with them." : name === "" ? "Give it a name first." : isChanged ? void 0 : "Nothing is changed.";
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					!definition && /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx("h1", { children: "New index" }), /* @__PURE__ */ jsxs("label", {
						className: "field inline",
						children: [/* @__PURE__ */ jsx("span", { children: "Name" }), /* @__PURE__ */ jsx("input", {
							className: "mono",
							value: name,
							spellCheck: false,
							onChange: (event) => setName(event.target.value)
						})]
					})] }),
					/* @__PURE__ */ jsx("span", {
						className: "hint",
						children: isAuto ? refusal : "JavaScript or C#. A changed index is built beside the old one."
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					!isAuto && /* @__PURE__ */ jsxs(Fragment, { children: [
						definition && /* @__PURE__ */ jsx(Button, {
							icon: "compare",
							"aria-pressed": isCompared,
							refusal: isChanged || isCompared ? void 0 : "Nothing is changed.",
							onClick: () => setCompared(!isCompared),
							children: isCompared ? "Edit" : "Compare with what runs"
						}),
						/* @__PURE__ */ jsx(Button, {
							kind: "quiet",
							icon: "plus",
							onClick: () => setMaps([...maps, ""]),
							children: "Map"
						}),
						/* @__PURE__ */ jsx(Button, {
							kind: "primary",
							icon: "save",
							keys: "Ctrl S",
							isBusy,
							refusal,
							onClick: () => void save(),
							children: "Save"
						})
					] })
				]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: "It was not stored",
				error,
				onDismiss: dismiss
			}),
			isCompared && definition && /* @__PURE__ */ jsx("div", {
				className: "comparison",
				children: /* @__PURE__ */ jsx(Suspense, {
					fallback: /* @__PURE__ */ jsx(Loading, { what: "the difference" }),
					children: /* @__PURE__ */ jsx(DiffView, {
						language: NO_COLORS,
						name: `What would change of ${name}`,
						before: definitionText(definition),
						after: definitionText({
							...definition,
							Maps: maps.filter((map) => map.trim() !== ""),
							Reduce: reduce
						})
					})
				})
			}),
			/* @__PURE__ */ jsx("div", {
				className: "scroll padded index-scripts",
				hidden: isCompared,
				children: /* @__PURE__ */ jsxs(Suspense, {
					fallback: /* @__PURE__ */ jsx(Loading, { what: "the editor" }),
					children: [maps.map((map, at) => /* @__PURE__ */ jsxs("section", {
						"aria-label": `Map ${at + 1}`,
						children: [/* @__PURE__ */ jsx("h2", { children: maps.length === 1 ? "Map" : `Map ${at + 1}` }), /* @__PURE__ */ jsx(ScriptEditor, {
							name: `Map ${at + 1}`,
							initial: map,
							isReadOnly: isAuto,
							onChange: (text) => setMaps((now) => now.map((one, index) => index === at ? text : one)),
							onSave: () => void save()
						})]
					}, at)), !isAuto && /* @__PURE__ */ jsxs("section", {
						"aria-label": "Reduce",
						children: [/* @__PURE__ */ jsx("h2", { children: "Reduce" }), /* @__PURE__ */ jsx(ScriptEditor, {
							name: "Reduce",
							initial: reduce,
							isReadOnly: false,
							onChange: setReduce,
							onSave: () => void save()
						})]
					})]
				})
			})
		]
	});
}

export { IndexEditor };