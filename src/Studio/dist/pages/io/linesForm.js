import { databasePath, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { useSearchState, useSetSearch } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { formatBytes, formatCount, plural } from "../../ui/format.js";
import { ErrorBox } from "../../ui/states.js";
import { CollectionField } from "./collectionField.js";
import { collectionOfFile } from "./ioModel.js";
import { LineError, documentOf, guessChoice, importLines, readLines } from "./lineImport.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, jsx, jsxs, useRef, useState } from "../../vendor/react.js";

// src/pages/io/linesForm.tsx
/** How many lines are shown before they are imported. */
const LINES_SHOWN = 20;
const LEFT_OUT_SHOWN = 20;
const NOTHING = {
	documents: 0,
	bytes: 0,
	leftOut: []
};
/**
* Stores the documents of a file of JSON lines. Where it stopped is in the URL with the name of the file: who chooses
* that file again, also after a reload, goes on there.
*/
function LinesForm({ database, file, isSending, onSending }) {
	const search = useSearchState();
	const setSearch = useSetSearch();
	const from = search.file === file.name ? Math.max(1, Number.parseInt(search.line ?? "", 10) || 1) : 1;
	const setFrom = (line) => setSearch({
		file: line > 1 ? file.name : void 0,
		line: line > 1 ? String(line) : void 0
	});
	const head = useQuery({
		queryKey: [
			"first-lines",
			file.name,
			file.size,
			file.lastModified
		],
		queryFn: () => firstLines(file),
		retry: false
	});
	const [typed, setTyped] = useState();
	const choice = typed ?? guessChoice(head.data?.[0], collectionOfFile(file.name));
	const [figures, setFigures] = useState(NOTHING);
	const [error, setError] = useState();
	const [isDone, setDone] = useState(false);
	const isStopped = useRef(false);
	const start = async (first, leftOut) => {
		isStopped.current = false;
		setError(void 0);
		setDone(false);
		setFigures((now) => ({
			...now,
			documents: first === 1 ? 0 : now.documents,
			leftOut
		}));
		onSending(true);
		let next = first;
		try {
			const isWhole = await importLines({
				file,
				choice,
				from: first,
				send: (commands) => send("POST", databasePath(database, "bulk_docs"), { body: new Blob([commands], { type: "application/json" }) }),
				isStopped: () => isStopped.current,
				onStored: (line, documents, bytes) => {
					next = line;
					setFigures((now) => ({
						...now,
						documents: now.documents + documents,
						bytes: Math.max(now.bytes, bytes)
					}));
				}
			});
			setDone(isWhole);
			setFrom(isWhole ? 1 : next);
			announce(isWhole ? `${file.name} is imported.` : `The import waits at line ${next}.`);
		} catch (failure) {
			setError(failure);
			setFrom(failure instanceof LineError ? failure.line : next);
		} finally {
			onSending(false);
		}
	};
	const wrong = error instanceof LineError && error.isOfLine ? error.line : void 0;
	const isBegun = figures.documents > 0 || figures.bytes > 0;
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		/* @__PURE__ */ jsxs("div", {
			className: "fields",
			children: [
				/* @__PURE__ */ jsx(CollectionField, {
					value: choice.collection,
					onChange: (collection) => setTyped({
						...choice,
						collection
					})
				}),
				/* @__PURE__ */ jsxs("label", {
					className: "field",
					children: [/* @__PURE__ */ jsx("span", { children: "Id is the member (empty: @metadata.@id)" }), /* @__PURE__ */ jsx("input", {
						className: "mono",
						value: choice.idMember,
						spellCheck: false,
						onChange: (event) => setTyped({
							...choice,
							idMember: event.target.value
						})
					})]
				}),
				/* @__PURE__ */ jsxs("label", {
					className: "field",
					children: [/* @__PURE__ */ jsx("span", { children: "From line" }), /* @__PURE__ */ jsx("input", {
						type: "number",
						min: 1,
						value: from,
						onChange: (event) => setFrom(Math.max(1, event.target.valueAsNumber || 1))
					})]
				})
			]
		}),
		head.error && /* @__PURE__ */ jsx(ErrorBox, {
			title: "The file cannot be read",
			error: head.error
		}),
		head.data && /* @__PURE__ */ jsx(FirstLines, {
			lines: head.data,
			choice
		}),
		isBegun && /* @__PURE__ */ jsxs("div", {
			className: "row",
			role: "status",
			children: [
				/* @__PURE__ */ jsxs("span", { children: [plural(figures.documents, "document"), " stored"] }),
				/* @__PURE__ */ jsx("progress", {
					max: Math.max(1, file.size),
					value: isDone ? file.size : figures.bytes,
					"aria-label": "Read"
				}),
				/* @__PURE__ */ jsxs("span", {
					className: "muted",
					children: [
						formatBytes(isDone ? file.size : figures.bytes),
						" of ",
						formatBytes(file.size)
					]
				}),
				isDone && /* @__PURE__ */ jsx("strong", {
					className: "good",
					children: "completed"
				}),
				!isDone && !isSending && /* @__PURE__ */ jsx("span", { children: `waits at line ${formatCount(from)}` })
			]
		}),
		figures.leftOut.length > 0 && /* @__PURE__ */ jsxs("p", {
			className: "hint",
			children: [`${plural(figures.leftOut.length, "line")} left out: ${figures.leftOut.slice(0, LEFT_OUT_SHOWN).join(", ")}`, figures.leftOut.length > LEFT_OUT_SHOWN && "…"]
		}),
		error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
			title: "The import has stopped",
			error,
			onDismiss: () => setError(void 0)
		}),
		/* @__PURE__ */ jsxs("div", {
			className: "row",
			children: [isSending ? /* @__PURE__ */ jsx(Button, {
				icon: "pause",
				onClick: () => {
					isStopped.current = true;
				},
				children: "Pause"
			}) : /* @__PURE__ */ jsx(Button, {
				kind: "primary",
				icon: "upload",
				refusal: head.data ? void 0 : "The file is being read.",
				onClick: () => void start(from, from === 1 ? [] : figures.leftOut),
				children: from === 1 ? "Import it" : `Go on at line ${formatCount(from)}`
			}), wrong !== void 0 && !isSending && /* @__PURE__ */ jsx(Button, {
				onClick: () => void start(wrong + 1, [...figures.leftOut, wrong]),
				children: `Leave line ${formatCount(wrong)} out and go on`
			})]
		})
	] });
}
/** The first lines of a file that are not empty. */
async function firstLines(file) {
	const found = [];
	for await (const portion of readLines(file, () => void 0)) {
		found.push(...portion);
		if (found.length >= LINES_SHOWN) break;
	}
	return found.slice(0, LINES_SHOWN);
}
function FirstLines({ lines, choice }) {
	if (lines.length === 0) return /* @__PURE__ */ jsx("p", {
		className: "muted",
		children: "The file has no lines."
	});
	const rows = lines.map((line) => ({
		line,
		...outcomeOf(line, choice)
	}));
	return /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx("section", {
		className: "scroll",
		"aria-label": "The first lines",
		tabIndex: 0,
		children: /* @__PURE__ */ jsxs("table", {
			className: "plain-table narrow",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Line"
				}),
				/* @__PURE__ */ jsx("th", { children: "Id" }),
				/* @__PURE__ */ jsx("th", { children: "Collection" }),
				/* @__PURE__ */ jsx("th", { children: "Document" })
			] }) }), /* @__PURE__ */ jsx("tbody", { children: rows.map(({ line, id, collection, problem }) => /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: line.number
				}),
				/* @__PURE__ */ jsx("td", {
					className: "mono nowrap",
					children: id
				}),
				/* @__PURE__ */ jsx("td", {
					className: "nowrap",
					children: collection
				}),
				/* @__PURE__ */ jsx("td", {
					className: problem ? "bad break" : "mono ellipsis",
					children: problem ?? line.text.slice(0, 200)
				})
			] }, line.number)) })]
		})
	}), rows.some(({ id }) => id.endsWith("/")) && /* @__PURE__ */ jsx("p", {
		className: "hint",
		children: "Some lines say no id: each becomes a new document, also when it is imported again."
	})] });
}
function outcomeOf(line, choice) {
	try {
		const found = documentOf(line, choice);
		return found ? {
			id: found.id,
			collection: found.collection || "@empty",
			problem: void 0
		} : {
			id: "",
			collection: "",
			problem: void 0
		};
	} catch (error) {
		return {
			id: "",
			collection: "",
			problem: error instanceof Error ? error.message : String(error)
		};
	}
}

export { LinesForm };