import { databasePath, getJson } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { announce } from "../../app/announcer.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useDatabase, useSearchState, useSetSearch } from "../../app/places.js";
import { showError } from "../../app/toasts.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { formatCount, formatTime } from "../../ui/format.js";
import { Pager } from "../../ui/pager.js";
import { Segments } from "../../ui/segments.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { isRunning, operationKind, operationShare, operationTone, outcomeText, progressText } from "./operationModel.js";
import { killOperation } from "./useOperation.js";
import { keepPreviousData, useQuery } from "../../vendor/query.js";
import { Fragment, jsx, jsxs } from "../../vendor/react.js";

// src/pages/operations/operationsPage.tsx
const PAGE_SIZE = 100;
/** The operations of a database or of the server: those that run, and those that ended of late. */
function OperationsPage() {
	const database = useDatabase();
	const { start: startText = "0", show = "all", operation } = useSearchState();
	const start = Number(startText) || 0;
	const setSearch = useSetSearch();
	const path = database === "" ? "/operations" : databasePath(database, "operations");
	const list = useQuery({
		queryKey: [
			"operations",
			database,
			start
		],
		queryFn: ({ signal }) => getJson(path, {
			query: {
				start,
				pageSize: PAGE_SIZE
			},
			signal
		}),
		placeholderData: keepPreviousData,
		refetchInterval: (query) => pollMs(query.state.error, query.state.data?.Results.some((one) => isRunning(one.State)) ? 1e3 : 5e3)
	});
	if (list.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the operations" });
	if (!list.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "The operations cannot be listed",
		error: list.error,
		onRetry: () => void list.refetch()
	});
	const { Results, TotalResults: total } = list.data;
	const all = [...Results].reverse();
	const shown = show === "running" ? all.filter((one) => isRunning(one.State)) : all;
	const kill = (row) => {
		killOperation(database === "" ? void 0 : database, row.Id).then(() => announce(`Operation ${row.Id} is ended.`)).catch((error) => showError(`Operation ${row.Id} was not ended`, error)).finally(() => void list.refetch());
	};
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Operations" }),
					/* @__PURE__ */ jsx(Segments, {
						name: "Which",
						choices: ["all", "running"].map((key) => ({
							key,
							title: `${key} ${formatCount(key === "all" ? total : all.filter((one) => isRunning(one.State)).length)}`
						})),
						chosen: show,
						onChoose: (key) => setSearch({ show: key === "all" ? void 0 : key })
					}),
					/* @__PURE__ */ jsx("span", {
						className: "hint",
						children: "Ended ones are forgotten after a while. You see your own; an administrator sees all."
					})
				]
			}),
			list.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: list.error,
				onRetry: () => void list.refetch()
			}),
			shown.length === 0 ? /* @__PURE__ */ jsx(Empty, {
				icon: "check",
				title: show === "running" ? "Nothing runs now" : "No operations of late",
				children: "Imports, backups, restores, patches and compactions stand here while they run, and for a while after."
			}) : /* @__PURE__ */ jsx("section", {
				className: "scroll",
				"aria-label": "Operations",
				tabIndex: 0,
				children: /* @__PURE__ */ jsxs("table", {
					className: "plain-table roomy",
					children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", {
							className: "number",
							children: "Id"
						}),
						/* @__PURE__ */ jsx("th", { children: "What" }),
						database === "" && /* @__PURE__ */ jsx("th", { children: "Database" }),
						/* @__PURE__ */ jsx("th", { children: "Began" }),
						/* @__PURE__ */ jsx("th", { children: "State" }),
						/* @__PURE__ */ jsx("th", { children: "How far" }),
						/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
							className: "offscreen",
							children: "Actions"
						}) })
					] }) }), /* @__PURE__ */ jsx("tbody", { children: shown.map((row) => /* @__PURE__ */ jsx(Row, {
						row,
						hasDatabase: database === "",
						isOpen: operation === String(row.Id),
						onOpen: (isOpen) => setSearch({ operation: isOpen ? String(row.Id) : void 0 }),
						onKill: () => kill(row)
					}, row.Id)) })]
				})
			}),
			/* @__PURE__ */ jsx(Pager, {
				start,
				size: PAGE_SIZE,
				shown: all.length,
				total,
				onStart: (next) => setSearch({ start: next }, true)
			})
		]
	});
}
function Row({ row, hasDatabase, isOpen, onOpen, onKill }) {
	const { name, unit } = operationKind(row.State);
	const { tone, word } = operationTone(row.State.Status);
	const runs = isRunning(row.State);
	const share = operationShare(row.State);
	return /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsxs("tr", { children: [
		/* @__PURE__ */ jsx("td", {
			className: "number",
			children: row.Id
		}),
		/* @__PURE__ */ jsx("th", {
			scope: "row",
			children: name
		}),
		hasDatabase && /* @__PURE__ */ jsx("td", { children: row.Database === "" ? /* @__PURE__ */ jsx("span", {
			className: "muted",
			children: "the server"
		}) : /* @__PURE__ */ jsx(Link, {
			href: placeUrl(databasePlace(row.Database)),
			children: row.Database
		}) }),
		/* @__PURE__ */ jsx("td", {
			className: "nowrap",
			children: formatTime(row.StartTime)
		}),
		/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(Chip, {
			tone,
			children: word
		}) }),
		/* @__PURE__ */ jsxs("td", { children: [
			runs && /* @__PURE__ */ jsx("progress", {
				...share === void 0 ? {} : {
					max: 1,
					value: share
				},
				"aria-label": `Progress of ${row.Id}`
			}),
			" ",
			/* @__PURE__ */ jsx("span", {
				className: row.State.Status === "Faulted" ? "bad break" : "break",
				children: outcomeText(row.State) === "" ? progressText(row.State, unit) : outcomeText(row.State)
			})
		] }),
		/* @__PURE__ */ jsxs("td", {
			className: "actions nowrap",
			children: [runs && /* @__PURE__ */ jsx(Button, {
				kind: "danger",
				icon: "stop",
				"aria-label": `End operation ${row.Id}`,
				onClick: onKill,
				children: "End"
			}), /* @__PURE__ */ jsx(Button, {
				kind: "quiet",
				icon: "info",
				"aria-expanded": isOpen,
				"aria-label": `Details of operation ${row.Id}`,
				onClick: () => onOpen(!isOpen),
				children: "Details"
			})]
		})
	] }), isOpen && /* @__PURE__ */ jsx("tr", { children: /* @__PURE__ */ jsx("td", {
		colSpan: hasDatabase ? 7 : 6,
		children: /* @__PURE__ */ jsx("pre", {
			className: "details",
			children: JSON.stringify(row.State.Result ?? row.State.Progress, null, 2)
		})
	}) })] });
}

export { OperationsPage };