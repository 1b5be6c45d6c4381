import { deleteDocument } from "../../api/documents.js";
import { databasePath, getJson } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { announce } from "../../app/announcer.js";
import { Link } from "../../app/link.js";
import { databasePlace, documentUrl, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { Grid } from "../../grid/grid.js";
import { member } from "../../json/jsonTree.js";
import { collectionQuery } from "../../rql/rqlLexer.js";
import { Button, IconButton } from "../../ui/button.js";
import { Confirm } from "../../ui/dialog.js";
import { ExportMenu } from "../../ui/exportMenu.js";
import { formatBytes, formatCount, formatTime, plural } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { Value } from "../../ui/value.js";
import { ColumnDialog } from "./columnDialog.js";
import { chosenColumns, columnFields, gridColumns, writeColumns } from "./columns.js";
import { useDocumentRun } from "./useDocumentRun.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, jsx, jsxs, useCallback, useMemo, useRef, useState } from "../../vendor/react.js";

// src/pages/documents/documentsPage.tsx
/** The most documents that are deleted at once here; a query deletes more. */
const MARKED_MAX = 100;
/** The documents of a database or a collection, the last changed first. */
function DocumentsPage() {
	const database = useDatabase();
	const { collection, cols } = useSearchState();
	const counts = useQuery({
		queryKey: ["collections", database],
		queryFn: ({ signal }) => getJson(databasePath(database, "collections/stats"), { signal }),
		refetchInterval: (query) => pollMs(query.state.error, 15e3)
	});
	const fields = useQuery({
		queryKey: [
			"fields",
			database,
			collection ?? ""
		],
		queryFn: ({ signal }) => getJson(databasePath(database, "studio/collections/fields"), {
			query: {
				name: collection,
				sample: 128
			},
			signal
		}),
		staleTime: 6e4,
		retry: false
	});
	if (counts.error) return /* @__PURE__ */ jsx(ErrorBox, {
		title: `${database} cannot be read`,
		error: counts.error,
		onRetry: () => void counts.refetch()
	});
	if (counts.isPending || fields.isPending) return /* @__PURE__ */ jsx(Loading, {
		what: "the documents",
		rows: 12
	});
	return /* @__PURE__ */ jsxs("div", {
		className: "split",
		children: [/* @__PURE__ */ jsx(CollectionList, {
			database,
			counts: counts.data,
			current: collection
		}), /* @__PURE__ */ jsx(DocumentList, {
			database,
			collection,
			fields: fields.data,
			cols,
			onChanged: () => void counts.refetch()
		}, `${database}\n${collection ?? ""}`)]
	});
}
function CollectionList({ database, counts, current }) {
	const names = Object.keys(counts.Collections).sort((a, b) => (a.startsWith("@") ? 1 : 0) - (b.startsWith("@") ? 1 : 0) || (a < b ? -1 : 1));
	const url = (name) => placeUrl(databasePlace(database, "docs"), { collection: name });
	return /* @__PURE__ */ jsxs("nav", {
		className: "side",
		"aria-label": "Collections",
		children: [/* @__PURE__ */ jsxs(Link, {
			href: url(),
			"aria-current": current === void 0 ? "page" : void 0,
			children: [/* @__PURE__ */ jsx("span", {
				className: "grow",
				children: "All documents"
			}), /* @__PURE__ */ jsx("span", {
				className: "muted",
				children: formatCount(counts.CountOfDocuments)
			})]
		}), names.map((name) => /* @__PURE__ */ jsxs(Link, {
			href: url(name),
			"aria-current": name === current ? "page" : void 0,
			children: [/* @__PURE__ */ jsx("span", {
				className: "grow ellipsis",
				title: name,
				children: name
			}), /* @__PURE__ */ jsx("span", {
				className: "muted",
				children: formatCount(counts.Collections[name])
			})]
		}, name))]
	});
}
function DocumentList({ database, collection, fields, cols, onChanged }) {
	const go = useGo();
	const setSearch = useSetSearch();
	const grid = useRef(null);
	const known = useMemo(() => columnFields(fields), [fields]);
	const names = useMemo(() => chosenColumns(known, cols), [known, cols]);
	const columns = useMemo(() => gridColumns(names, known, collection === void 0), [
		names,
		known,
		collection
	]);
	const { run, error, want, again } = useDocumentRun(database, collection, names, grid);
	const [isChoosing, setChoosing] = useState(false);
	const [isDeleting, setDeleting] = useState(false);
	const [marked, setMarked] = useState(/* @__PURE__ */ new Set());
	const cell = useCallback((place, column) => {
		const row = run?.at(place);
		if (!row) return;
		switch (column.key) {
			case "@id": return /* @__PURE__ */ jsx(Link, {
				href: documentUrl(database, row.id),
				tabIndex: -1,
				children: row.id
			});
			case "@collection": return row.collection;
			case "@last-modified": return formatTime(row.lastModified);
			case "@size": return formatBytes(row.sizeBytes);
			default: return /* @__PURE__ */ jsx(Value, {
				database,
				node: member(row.values, column.key.slice(1))
			});
		}
	}, [run, database]);
	const title = collection ?? "All documents";
	const query = collectionQuery(collection);
	const mark = (place) => {
		const id = run?.at(place)?.id;
		if (id !== void 0) {
			const next = new Set(marked);
			if (!next.delete(id) && next.size < MARKED_MAX) next.add(id);
			setMarked(next);
			announce(`${plural(next.size, "document")} marked.`);
		}
	};
	const refresh = () => {
		again();
		onChanged();
	};
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", {
						className: "ellipsis",
						children: title
					}),
					run && /* @__PURE__ */ jsx("span", {
						className: "muted",
						children: formatCount(run.total)
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					marked.size > 0 && /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx(Button, {
						kind: "danger",
						icon: "trash",
						onClick: () => setDeleting(true),
						children: `Delete ${marked.size}…`
					}), /* @__PURE__ */ jsx(Button, {
						kind: "quiet",
						onClick: () => setMarked(/* @__PURE__ */ new Set()),
						children: "Unmark"
					})] }),
					/* @__PURE__ */ jsx(IconButton, {
						name: "Read again",
						icon: "refresh",
						onClick: refresh
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "quiet",
						icon: "columns",
						onClick: () => setChoosing(true),
						children: "Columns"
					}),
					/* @__PURE__ */ jsx(ExportMenu, {
						database,
						query,
						name: collection ?? database
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "quiet",
						icon: "terminal",
						onClick: () => go(placeUrl(databasePlace(database, "query"), { q: query })),
						children: "Query"
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "plus",
						onClick: () => go(placeUrl(databasePlace(database, "doc"), {
							new: "1",
							collection
						})),
						children: "New"
					})
				]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				error,
				onRetry: again
			}),
			!run && error === void 0 && /* @__PURE__ */ jsx(Loading, {
				what: "the documents",
				rows: 12
			}),
			run && run.total === 0 && /* @__PURE__ */ jsx(Empty, {
				icon: "files",
				title: collection ? `${collection} has no documents` : "There are no documents yet",
				children: "A document is JSON with an id. “New” makes one; the sample data of a new database has some, too."
			}),
			run && run.total > 0 && /* @__PURE__ */ jsx(Grid, {
				handle: grid,
				name: `${title}: the last changed first. Enter opens, Space marks.`,
				rows: run.total,
				columns,
				cell,
				onWindow: want,
				onOpen: (place) => {
					const row = run.at(place);
					if (row) go(documentUrl(database, row.id));
				},
				isMarked: (place) => marked.has(run.at(place)?.id ?? ""),
				onMark: mark
			}),
			isChoosing && /* @__PURE__ */ jsx(ColumnDialog, {
				fields: known,
				chosen: names,
				onClose: () => setChoosing(false),
				onChoose: (next) => setSearch({ cols: next === void 0 ? void 0 : writeColumns(next) || "," })
			}),
			/* @__PURE__ */ jsx(Confirm, {
				title: `Delete ${plural(marked.size, "document")}`,
				isOpen: isDeleting,
				first: "They are deleted with their attachments, counters and time series: there is no way back, but their revisions if they have some.",
				action: `Delete ${plural(marked.size, "document")}`,
				onClose: () => setDeleting(false),
				onConfirm: async () => {
					for (const id of marked) await deleteDocument(database, id);
					announce(`${plural(marked.size, "document")} deleted.`);
					setMarked(/* @__PURE__ */ new Set());
					refresh();
				},
				children: /* @__PURE__ */ jsx("ul", {
					className: "short-list mono",
					children: [...marked].map((id) => /* @__PURE__ */ jsx("li", { children: id }, id))
				})
			})
		]
	});
}

export { DocumentsPage };