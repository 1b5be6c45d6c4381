import { databasePath, getJson, send, urlOf } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { useSearchState, useSetSearch } from "../../app/places.js";
import { collectionQuery } from "../../rql/rqlLexer.js";
import { Button } from "../../ui/button.js";
import { saveRows } from "../../ui/exportMenu.js";
import { formatCount } from "../../ui/format.js";
import { saveUrl } from "../../ui/saveFile.js";
import { Segments } from "../../ui/segments.js";
import { ErrorBox } from "../../ui/states.js";
import { useTask } from "../../ui/useTask.js";
import { DumpFields } from "./dumpFields.js";
import { WHOLE_DUMP, dumpOptions, exportRefusal } from "./ioModel.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/io/exportTab.tsx
/** Writes the database as a dump or its documents as rows; the browser writes either to the disk as it comes. */
function ExportTab(props) {
	const { as = "dump" } = useSearchState();
	const setSearch = useSetSearch();
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll",
		"aria-label": "Export",
		tabIndex: 0,
		children: [/* @__PURE__ */ jsx("div", {
			className: "form",
			children: /* @__PURE__ */ jsx(Segments, {
				name: "Export as",
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
						key: "jsonl",
						title: "JSON lines"
					}
				],
				chosen: as,
				onChoose: (key) => setSearch({ as: key === "dump" ? void 0 : key })
			})
		}), as === "csv" || as === "jsonl" ? /* @__PURE__ */ jsx(RowsForm, {
			database: props.database,
			format: as
		}) : /* @__PURE__ */ jsx(DumpForm, { ...props })]
	});
}
function DumpForm({ database, onStarted }) {
	const [choice, setChoice] = useState(WHOLE_DUMP);
	const [isZstd, setZstd] = useState(false);
	const { isBusy, error, run, dismiss } = useTask();
	const options = JSON.stringify({
		...dumpOptions(choice),
		CompressionAlgorithm: isZstd ? "Zstd" : "Gzip"
	});
	const refusal = exportRefusal(choice, options);
	const start = () => run(async () => {
		await send("POST", databasePath(database, "smuggler/validate-options"), { body: options });
		const { Id } = await getJson(databasePath(database, "operations/next-operation-id"));
		const day = (/* @__PURE__ */ new Date()).toISOString().slice(0, 10);
		const url = urlOf(databasePath(database, "smuggler/export"), {
			operationId: Id,
			options
		});
		saveUrl(url, `${database}-${day}.ravendbdump`);
		onStarted(Id, "Export");
		announce("The browser writes the dump to the disk.");
	});
	return /* @__PURE__ */ jsxs("form", {
		className: "form",
		onSubmit: (event) => {
			event.preventDefault();
			if (refusal === void 0 && !isBusy) start();
		},
		children: [
			/* @__PURE__ */ jsx("p", {
				className: "hint",
				children: "One moment of the database as a file, without secrets. The browser writes it to the disk as it comes, also when you leave this page."
			}),
			/* @__PURE__ */ jsx(DumpFields, {
				choice,
				onChange: setChoice
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Packed by" }), /* @__PURE__ */ jsxs("select", {
					value: isZstd ? "Zstd" : "Gzip",
					onChange: (event) => setZstd(event.target.value === "Zstd"),
					children: [/* @__PURE__ */ jsx("option", {
						value: "Gzip",
						children: "gzip: every program reads it"
					}), /* @__PURE__ */ jsx("option", {
						value: "Zstd",
						children: "zstd: smaller and faster"
					})]
				})]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: "The export has not begun",
				error,
				onDismiss: dismiss
			}),
			/* @__PURE__ */ jsx("div", {
				className: "row",
				children: /* @__PURE__ */ jsx(Button, {
					kind: "primary",
					type: "submit",
					icon: "download",
					isBusy,
					refusal,
					children: "Export it"
				})
			})
		]
	});
}
function RowsForm({ database, format }) {
	const { collection = "" } = useSearchState();
	const setSearch = useSetSearch();
	const collections = useQuery({
		queryKey: ["collections", database],
		queryFn: ({ signal }) => getJson(databasePath(database, "collections/stats"), { signal })
	});
	const counts = Object.entries(collections.data?.Collections ?? {});
	return /* @__PURE__ */ jsxs("form", {
		className: "form",
		onSubmit: (event) => {
			event.preventDefault();
			saveRows(database, collectionQuery(collection || void 0), format, `${database}-${collection || "all"}`);
			announce("The browser writes the rows to the disk.");
		},
		children: [
			/* @__PURE__ */ jsxs("p", {
				className: "hint",
				children: [
					format === "csv" ? "A row for each document: its id and the members of the first one. To choose columns or rows, export from the page of a query." : "A line of JSON for each document, with its metadata, behind a line about the query.",
					" ",
					"The browser writes it to the disk as it comes."
				]
			}),
			collections.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: collections.error,
				onRetry: () => void collections.refetch()
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Documents" }), /* @__PURE__ */ jsxs("select", {
					value: collection,
					onChange: (event) => setSearch({ collection: event.target.value === "" ? void 0 : event.target.value }),
					children: [/* @__PURE__ */ jsx("option", {
						value: "",
						children: "of all collections"
					}), counts.map(([name, count]) => /* @__PURE__ */ jsx("option", {
						value: name,
						children: `${name} (${formatCount(count)})`
					}, name))]
				})]
			}),
			/* @__PURE__ */ jsx("div", {
				className: "row",
				children: /* @__PURE__ */ jsx(Button, {
					kind: "primary",
					type: "submit",
					icon: "download",
					children: "Export them"
				})
			})
		]
	});
}

export { ExportTab };