import { databasePath, getJson, send } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { useDatabase, useSearchState, useSetSearch } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/dialog.js";
import { formatBytes, formatCount, formatDuration } from "../../ui/format.js";
import { ErrorBox, Loading } from "../../ui/states.js";
import { OperationBar } from "../operations/operationBar.js";
import { groupColors, structureGroups, structureKey } from "./storageModel.js";
import { TreemapView } from "./treemapView.js";
import { useQuery, useQueryClient } from "../../vendor/query.js";
import { Fragment, jsx, jsxs, useMemo, useState } from "../../vendor/react.js";

// src/pages/storage/storagePage.tsx
/** Up to which size of the data file what is in it is measured without being asked to: it reads all pages of trees. */
const MEASURED_MAX_BYTES = 536870912;
/** What a database has on the disk, and what takes the room. */
function StoragePage() {
	const database = useDatabase();
	const { operation, part } = useSearchState();
	const setSearch = useSetSearch();
	const client = useQueryClient();
	const [isWanted, setWanted] = useState(false);
	const [isAsked, setAsked] = useState(false);
	const path = databasePath(database, "debug/storage/report");
	const report = useQuery({
		queryKey: ["storage", database],
		queryFn: ({ signal }) => getJson(path, { signal }),
		refetchInterval: (query) => pollMs(query.state.error, 1e4)
	});
	const isSmall = (report.data?.DataFileBytes ?? Number.POSITIVE_INFINITY) <= MEASURED_MAX_BYTES;
	const details = useQuery({
		queryKey: ["storage-details", database],
		queryFn: ({ signal }) => getJson(path, {
			query: { details: true },
			signal
		}),
		enabled: isWanted || isSmall,
		retry: false,
		staleTime: 6e4
	});
	if (report.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the storage" });
	if (!report.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "The storage cannot be read",
		error: report.error,
		onRetry: () => void report.refetch()
	});
	const again = () => {
		report.refetch();
		details.refetch();
	};
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Storage" }),
					/* @__PURE__ */ jsxs("span", {
						className: "muted",
						children: [formatBytes(report.data.DataFileBytes + report.data.JournalFileBytes), " on disk"]
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						icon: "refresh",
						isBusy: report.isFetching || details.isFetching,
						onClick: again,
						children: "Measure again"
					}),
					/* @__PURE__ */ jsx(Button, {
						icon: "disk",
						onClick: () => setAsked(true),
						children: "Compact…"
					})
				]
			}),
			report.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: report.error,
				onRetry: again
			}),
			operation && /* @__PURE__ */ jsx(OperationBar, {
				database: void 0,
				id: operation,
				title: "Compaction",
				onClose: () => setSearch({ operation: void 0 }),
				onEnd: () => void client.invalidateQueries({ queryKey: ["storage"] }).then(again)
			}, operation),
			/* @__PURE__ */ jsxs("section", {
				className: "scroll",
				"aria-label": "Storage",
				tabIndex: 0,
				children: [
					/* @__PURE__ */ jsx(Sums, { report: report.data }),
					details.error && /* @__PURE__ */ jsx(ErrorBox, {
						title: "What is in it was not measured",
						error: details.error,
						onRetry: () => void details.refetch()
					}),
					details.isLoading && /* @__PURE__ */ jsx(Loading, { what: "what is in it" }),
					!details.data && !details.isLoading && !details.error && /* @__PURE__ */ jsxs("div", {
						className: "row padded",
						children: [/* @__PURE__ */ jsx(Button, {
							icon: "search",
							onClick: () => setWanted(true),
							children: "Measure what is in it"
						}), /* @__PURE__ */ jsxs("span", {
							className: "hint",
							children: [formatBytes(report.data.DataFileBytes), ": all pages of its trees are read, which takes a while."]
						})]
					}),
					details.data?.Structures && /* @__PURE__ */ jsx(Structures, {
						all: details.data.Structures,
						chosen: part,
						onChoose: (key) => setSearch({ part: key === part ? void 0 : key })
					})
				]
			}),
			/* @__PURE__ */ jsx(Confirm, {
				title: `Compact ${database}`,
				isOpen: isAsked,
				first: "All of it is copied into full pages; reads go on, and changes wait up to 15 seconds. Its indexes are built anew.",
				action: "Compact it",
				onClose: () => setAsked(false),
				onConfirm: async () => {
					const answer = await send("POST", "/admin/compact", { body: {
						DatabaseName: database,
						Documents: true
					} });
					setSearch({ operation: String(JSON.parse(answer.text).OperationId) });
				},
				children: /* @__PURE__ */ jsx("p", { children: "It needs as much room again on the disk until it is done." })
			})
		]
	});
}
function Sums({ report }) {
	const free = report.FreePages * report.PageSizeBytes;
	return /* @__PURE__ */ jsxs("dl", {
		className: "facts",
		children: [
			/* @__PURE__ */ jsx("dt", { children: "Data file" }),
			/* @__PURE__ */ jsx("dd", { children: `${formatBytes(report.DataFileBytes)}, of ${formatCount(report.Pages)} pages ${formatCount(report.FreePages)} are free (${formatBytes(free)})` }),
			/* @__PURE__ */ jsx("dt", { children: "Journal" }),
			/* @__PURE__ */ jsx("dd", { children: `${formatBytes(report.JournalFileBytes)}, of which ${formatBytes(report.JournalBacklogBytes)} are not in the data file yet` }),
			/* @__PURE__ */ jsx("dt", { children: "Changed pages in memory" }),
			/* @__PURE__ */ jsx("dd", { children: formatBytes(report.ScratchUsedBytes) }),
			/* @__PURE__ */ jsx("dt", { children: "A write takes" }),
			/* @__PURE__ */ jsx("dd", { children: report.WriteMicrosecondsP50 === void 0 ? "none yet" : `${formatDuration(report.WriteMicrosecondsP50 / 1e3)} at the median, ${formatDuration((report.WriteMicrosecondsP99 ?? 0) / 1e3)} at 99 %; of that the journal ${formatDuration(report.JournalWriteMicrosecondsP50 / 1e3)} and ${formatDuration(report.JournalWriteMicrosecondsP99 / 1e3)}` }),
			/* @__PURE__ */ jsx("dt", { children: "Readers" }),
			/* @__PURE__ */ jsx("dd", { children: report.Readers === 0 || !report.OldestReader ? formatCount(report.Readers) : `${formatCount(report.Readers)}, the oldest for ${formatDuration(report.OldestReaderMilliseconds)}: ${report.OldestReader}` })
		]
	});
}
function Structures({ all, chosen, onChoose }) {
	const groups = useMemo(() => structureGroups(all), [all]);
	const colors = useMemo(() => groupColors(groups), [groups]);
	const total = groups.reduce((sum, group) => sum + group.size, 0);
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		/* @__PURE__ */ jsx(TreemapView, {
			groups,
			colors,
			chosen,
			onChoose
		}),
		/* @__PURE__ */ jsx("p", {
			className: "hint padded",
			children: "Indexes have files of their own and are not in it. The picture shows what the table says; a click chooses a row."
		}),
		/* @__PURE__ */ jsxs("table", {
			className: "plain-table",
			children: [
				/* @__PURE__ */ jsx("caption", {
					className: "offscreen",
					children: "What is in the data file"
				}),
				/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsx("th", { children: "Structure" }),
					/* @__PURE__ */ jsx("th", { children: "Kind" }),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Entries"
					}),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Depth"
					}),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Pages"
					}),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Full"
					}),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Size"
					}),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Share"
					})
				] }) }),
				/* @__PURE__ */ jsx("tbody", { children: groups.flatMap((group) => group.structures.filter((one) => one.SizeInBytes > 0).map((one) => {
					const key = structureKey(one);
					return /* @__PURE__ */ jsxs("tr", {
						"aria-current": key === chosen ? "true" : void 0,
						children: [
							/* @__PURE__ */ jsx("th", {
								scope: "row",
								children: /* @__PURE__ */ jsx(Button, {
									kind: "quiet",
									"aria-pressed": key === chosen,
									onClick: () => onChoose(key),
									children: one.Part === 0 ? one.Name : `${one.Name}, part ${one.Part}`
								})
							}),
							/* @__PURE__ */ jsx("td", { children: one.Kind }),
							/* @__PURE__ */ jsx("td", {
								className: "number",
								children: formatCount(one.Entries)
							}),
							/* @__PURE__ */ jsx("td", {
								className: "number",
								children: formatCount(one.Depth)
							}),
							/* @__PURE__ */ jsx("td", {
								className: "number",
								children: formatCount(one.LeafPages + one.BranchPages + one.OverflowPages)
							}),
							/* @__PURE__ */ jsx("td", {
								className: "number",
								children: one.Fill === void 0 ? "–" : `${Math.round(one.Fill * 100)} %`
							}),
							/* @__PURE__ */ jsx("td", {
								className: "number",
								children: formatBytes(one.SizeInBytes)
							}),
							/* @__PURE__ */ jsx("td", {
								className: "number",
								children: total === 0 ? "–" : `${(one.SizeInBytes / total * 100).toFixed(1)} %`
							})
						]
					}, key);
				})) }),
				/* @__PURE__ */ jsx("tfoot", { children: /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsx("th", {
						scope: "row",
						children: "All"
					}),
					/* @__PURE__ */ jsx("td", { colSpan: 5 }),
					/* @__PURE__ */ jsx("td", {
						className: "number",
						children: formatBytes(total)
					}),
					/* @__PURE__ */ jsx("td", {
						className: "number",
						children: "100 %"
					})
				] }) })
			]
		})
	] });
}

export { StoragePage };