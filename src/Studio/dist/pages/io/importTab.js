import { databasePath, getJson, isAborted, send } from "../../api/http.js";
import { upload } from "../../api/upload.js";
import { announce } from "../../app/announcer.js";
import { Button } from "../../ui/button.js";
import { formatBytes, formatCount } from "../../ui/format.js";
import { Segments } from "../../ui/segments.js";
import { ErrorBox } from "../../ui/states.js";
import { CollectionField } from "./collectionField.js";
import { DumpFields } from "./dumpFields.js";
import { WHOLE_DUMP, brokenRow, collectionOfFile, csvRows, dumpOptions, guessDelimiter, isCsvName } from "./ioModel.js";
import { isLinesName } from "./lineImport.js";
import { LinesForm } from "./linesForm.js";
import { useBlocker } from "../../vendor/router.js";
import { Fragment, jsx, jsxs, useRef, useState } from "../../vendor/react.js";

// src/pages/io/importTab.tsx
/** How much of a file is read to show its first rows. */
const HEAD_BYTES = 65536;
const ROWS_SHOWN = 21;
/** Reads a dump, a CSV file or JSON lines of this machine into the database. */
function ImportTab({ database, onStarted }) {
	const [file, setFile] = useState();
	const [kind, setKind] = useState("dump");
	const [isSendingLines, setSendingLines] = useState(false);
	const [choice, setChoice] = useState(WHOLE_DUMP);
	const [csv, setCsvChoice] = useState({
		collection: "",
		delimiter: ",",
		quote: "\"",
		trims: false,
		from: 1
	});
	const [head, setHead] = useState("");
	const [sent, setSent] = useState();
	const [error, setError] = useState();
	const [isOver, setOver] = useState(false);
	const stop = useRef(void 0);
	const isCsv = kind === "csv";
	useWarning(sent !== void 0 || isSendingLines);
	const choose = async (next) => {
		if (!next) return;
		const isAgain = next.name === file?.name;
		setFile(next);
		setError(void 0);
		const isRows = isCsvName(next.name);
		setKind(isRows ? "csv" : isLinesName(next.name) ? "lines" : "dump");
		const text = isRows && !/\.(gz|zst)$/i.test(next.name) ? await next.slice(0, HEAD_BYTES).text() : "";
		setHead(text);
		setCsvChoice((now) => ({
			...now,
			from: isAgain ? now.from : 1,
			collection: isRows ? collectionOfFile(next.name) : now.collection,
			delimiter: text === "" ? now.delimiter : guessDelimiter(text.split("\n", 1)[0] ?? "")
		}));
	};
	const refusal = !file ? "Choose a file first." : !isCsv && choice.types.size === 0 ? "Choose what is taken." : void 0;
	const start = async () => {
		if (!file || sent || kind === "lines") return;
		setError(void 0);
		const controller = new AbortController();
		stop.current = controller;
		try {
			if (!isCsv) await send("POST", databasePath(database, "smuggler/validate-options"), { body: dumpOptions(choice) });
			const { Id } = await getJson(databasePath(database, "operations/next-operation-id"));
			const form = new FormData();
			form.append(isCsv ? "csvImportOptions" : "importOptions", JSON.stringify(isCsv ? {
				Delimiter: csv.delimiter,
				Quote: csv.quote,
				Trim: csv.trims,
				FirstLine: csv.from
			} : dumpOptions(choice)));
			form.append("file", file, file.name);
			setSent({
				bytes: 0,
				of: file.size
			});
			onStarted(Id, "Import");
			const collection = isCsv && csv.collection.trim() !== "" ? csv.collection.trim() : void 0;
			await upload("POST", databasePath(database, isCsv ? "smuggler/import/csv" : "smuggler/import"), form, {
				query: {
					operationId: Id,
					collection
				},
				signal: controller.signal
			}, (bytes, of) => setSent({
				bytes,
				of
			}));
			announce(`${file.name} is imported.`);
			setCsvChoice((now) => ({
				...now,
				from: 1
			}));
		} catch (failure) {
			if (!isAborted(failure)) setError(failure);
			const row = isCsv ? brokenRow(failure) : void 0;
			if (row !== void 0) setCsvChoice((now) => ({
				...now,
				from: row
			}));
		} finally {
			setSent(void 0);
		}
	};
	return /* @__PURE__ */ jsx("section", {
		className: "scroll",
		"aria-label": "Import",
		tabIndex: 0,
		children: /* @__PURE__ */ jsxs("form", {
			className: "form",
			onSubmit: (event) => {
				event.preventDefault();
				if (refusal === void 0) start();
			},
			children: [
				/* @__PURE__ */ jsx("p", {
					className: "hint",
					children: "A document that is there is replaced by the one of the file with its id."
				}),
				/* @__PURE__ */ jsxs("div", {
					className: isOver ? "drop is-over" : "drop",
					onDragOver: (event) => {
						event.preventDefault();
						setOver(true);
					},
					onDragLeave: () => setOver(false),
					onDrop: (event) => {
						event.preventDefault();
						setOver(false);
						choose(event.dataTransfer.files[0]);
					},
					children: [/* @__PURE__ */ jsxs("label", {
						className: "field",
						children: [/* @__PURE__ */ jsx("span", { children: "A dump (.ravendbdump) or CSV, also packed by gzip or zstd, or JSON lines; or drop it here" }), /* @__PURE__ */ jsx("input", {
							type: "file",
							onChange: (event) => void choose(event.target.files?.[0])
						})]
					}), file && /* @__PURE__ */ jsx("span", {
						className: "break",
						children: `${file.name}, ${formatBytes(file.size)}`
					})]
				}),
				file && /* @__PURE__ */ jsx(Segments, {
					name: "The file is",
					choices: [
						{
							key: "dump",
							title: "a dump"
						},
						{
							key: "csv",
							title: "CSV"
						},
						{
							key: "lines",
							title: "JSON lines"
						}
					],
					chosen: kind,
					onChoose: (key) => setKind(key)
				}),
				file && isCsv && /* @__PURE__ */ jsx(CsvFields, {
					choice: csv,
					head,
					isWhole: file.size <= HEAD_BYTES,
					onChange: setCsvChoice
				}),
				file && kind === "dump" && /* @__PURE__ */ jsx(DumpFields, {
					choice,
					onChange: setChoice
				}),
				file && kind === "lines" && /* @__PURE__ */ jsx(LinesForm, {
					database,
					file,
					isSending: isSendingLines,
					onSending: setSendingLines
				}, `${file.name} ${file.size} ${file.lastModified}`),
				sent && /* @__PURE__ */ jsxs("div", {
					className: "row",
					role: "status",
					children: [
						/* @__PURE__ */ jsxs("span", { children: [
							formatBytes(sent.bytes),
							" of ",
							formatBytes(sent.of),
							" are sent"
						] }),
						/* @__PURE__ */ jsx("progress", {
							max: Math.max(1, sent.of),
							value: sent.bytes,
							"aria-label": "Sent"
						}),
						/* @__PURE__ */ jsx("span", {
							className: "hint",
							children: "Leaving or reloading the page ends it."
						})
					]
				}),
				error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
					title: "The import has failed",
					error,
					onDismiss: () => setError(void 0)
				}),
				(kind !== "lines" || !file) && /* @__PURE__ */ jsx("div", {
					className: "row",
					children: sent ? /* @__PURE__ */ jsx(Button, {
						icon: "stop",
						kind: "danger",
						onClick: () => stop.current?.abort(),
						children: "Stop sending"
					}) : /* @__PURE__ */ jsx(Button, {
						kind: "primary",
						type: "submit",
						icon: "upload",
						refusal,
						children: isCsv && csv.from > 1 ? `Go on at line ${formatCount(csv.from)}` : "Import it"
					})
				})
			]
		})
	});
}
/** Asks before a page is left whose upload would end with it. */
function useWarning(isSending) {
	useBlocker({
		shouldBlockFn: ({ current, next }) => isSending && current.pathname !== next.pathname && !window.confirm("The import is under way, and ends when you leave this page. Leave it?"),
		enableBeforeUnload: () => isSending
	});
}
function CsvFields({ choice, head, isWhole, onChange }) {
	const [names = [], ...values] = csvRows(head, choice.delimiter, choice.quote, ROWS_SHOWN, isWhole);
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		/* @__PURE__ */ jsxs("div", {
			className: "fields",
			children: [
				/* @__PURE__ */ jsx(CollectionField, {
					value: choice.collection,
					onChange: (collection) => onChange({
						...choice,
						collection
					})
				}),
				/* @__PURE__ */ jsxs("label", {
					className: "field",
					children: [/* @__PURE__ */ jsx("span", { children: "Between cells" }), /* @__PURE__ */ jsxs("select", {
						value: choice.delimiter,
						onChange: (event) => onChange({
							...choice,
							delimiter: event.target.value
						}),
						children: [
							/* @__PURE__ */ jsx("option", {
								value: ",",
								children: "a comma"
							}),
							/* @__PURE__ */ jsx("option", {
								value: ";",
								children: "a semicolon"
							}),
							/* @__PURE__ */ jsx("option", {
								value: "	",
								children: "a tab"
							}),
							/* @__PURE__ */ jsx("option", {
								value: " ",
								children: "a blank"
							})
						]
					})]
				}),
				/* @__PURE__ */ jsxs("label", {
					className: "field",
					children: [/* @__PURE__ */ jsx("span", { children: "Around cells" }), /* @__PURE__ */ jsxs("select", {
						value: choice.quote,
						onChange: (event) => onChange({
							...choice,
							quote: event.target.value
						}),
						children: [/* @__PURE__ */ jsx("option", {
							value: "\"",
							children: "\""
						}), /* @__PURE__ */ jsx("option", {
							value: "'",
							children: "'"
						})]
					})]
				}),
				/* @__PURE__ */ jsxs("label", {
					className: "field",
					children: [/* @__PURE__ */ jsx("span", { children: "From line (behind the header)" }), /* @__PURE__ */ jsx("input", {
						type: "number",
						min: 1,
						value: choice.from,
						onChange: (event) => onChange({
							...choice,
							from: Math.max(1, event.target.valueAsNumber || 1)
						})
					})]
				})
			]
		}),
		/* @__PURE__ */ jsxs("label", {
			className: "check",
			children: [/* @__PURE__ */ jsx("input", {
				type: "checkbox",
				checked: choice.trims,
				onChange: (event) => onChange({
					...choice,
					trims: event.target.checked
				})
			}), /* @__PURE__ */ jsx("span", { children: "Blanks around cells without quotes are dropped" })]
		}),
		names.length > 0 && /* @__PURE__ */ jsx("section", {
			className: "scroll",
			"aria-label": "The first rows",
			tabIndex: 0,
			children: /* @__PURE__ */ jsxs("table", {
				className: "plain-table narrow",
				children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsx("tr", { children: names.slice(0, 50).map((name, at) => /* @__PURE__ */ jsx("th", { children: name }, at)) }) }), /* @__PURE__ */ jsx("tbody", { children: values.map((cells, row) => /* @__PURE__ */ jsx("tr", { children: cells.slice(0, 50).map((cell, at) => /* @__PURE__ */ jsx("td", {
					className: "ellipsis",
					children: cell.slice(0, 80)
				}, at)) }, row)) })]
			})
		}),
		names.length > 0 && !names.includes("@id") && /* @__PURE__ */ jsx("p", {
			className: "hint",
			children: "No column is called @id: each row becomes a new document, also when it is imported again."
		})
	] });
}

export { ImportTab };