import { databasePath, send } from "../../api/http.js";
import { Link } from "../../app/link.js";
import { documentUrl, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { Grid } from "../../grid/grid.js";
import { member, textMember } from "../../json/jsonTree.js";
import { runJob } from "../../json/jsonWork.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { CopyButton } from "../../ui/copy.js";
import { formatCount, formatDuration } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { Tabs } from "../../ui/tabs.js";
import { Value } from "../../ui/value.js";
import "../documents/columns.js";
import { Flame } from "./flame.js";
import { queryBody, resultColumns } from "./queryModel.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, jsx, jsxs, useCallback, useEffect, useMemo, useState } from "../../vendor/react.js";

// src/pages/query/queryResults.tsx
/** What a query came to, seen in several ways. */
function QueryResults(props) {
	const { view = "results" } = useSearchState();
	const setSearch = useSetSearch();
	const { result, isRunning } = props;
	if (!result) return isRunning ? /* @__PURE__ */ jsx(Loading, {
		what: "the results",
		rows: 8
	}) : /* @__PURE__ */ jsx(Empty, {
		icon: "terminal",
		title: "Ask the database",
		children: "Begin with “from” and the name of a collection; Ctrl Space completes, Ctrl Enter runs."
	});
	return /* @__PURE__ */ jsxs("div", {
		className: isRunning ? "results dimmed" : "results",
		children: [/* @__PURE__ */ jsx(ResultLine, {
			...props,
			result
		}), /* @__PURE__ */ jsx(Tabs, {
			name: "Views of the results",
			value: view,
			onChange: (key) => setSearch({ view: key === "results" ? void 0 : key }),
			entries: [
				{
					key: "results",
					title: "Results",
					content: () => /* @__PURE__ */ jsx(ResultGrid, {
						...props,
						result
					})
				},
				{
					key: "explain",
					title: "Explain",
					content: () => /* @__PURE__ */ jsx(Explain, { ...props })
				},
				{
					key: "timings",
					title: "Timings",
					content: () => /* @__PURE__ */ jsx(Timings, {
						...props,
						result
					})
				},
				{
					key: "raw",
					title: "Raw",
					content: () => /* @__PURE__ */ jsx(Raw, { text: result.raw })
				}
			]
		})]
	});
}
function ResultLine({ result, tookMs, start, onPage }) {
	const end = start + result.rows.length;
	return /* @__PURE__ */ jsxs("div", {
		className: "row result-line",
		role: "status",
		children: [
			/* @__PURE__ */ jsx("strong", { children: formatCount(result.total) }),
			" ",
			result.total === 1 ? "result" : "results",
			/* @__PURE__ */ jsx("span", {
				className: "muted",
				children: `in ${formatDuration(tookMs)}`
			}),
			result.indexName && /* @__PURE__ */ jsx("span", {
				className: "muted mono",
				children: result.indexName
			}),
			result.isStale && /* @__PURE__ */ jsx(Chip, {
				tone: "stale",
				children: "stale: the index was behind"
			}),
			/* @__PURE__ */ jsx("span", { className: "grow" }),
			result.total > 100 && /* @__PURE__ */ jsxs(Fragment, { children: [
				/* @__PURE__ */ jsx(Button, {
					refusal: start === 0 ? "These are the first." : void 0,
					onClick: () => onPage(Math.max(0, start - 100)),
					children: "Before"
				}),
				/* @__PURE__ */ jsx("span", {
					className: "muted",
					children: `${formatCount(start + 1)} to ${formatCount(end)}`
				}),
				/* @__PURE__ */ jsx(Button, {
					refusal: end >= result.total ? "These are the last." : void 0,
					onClick: () => onPage(end),
					children: "Next"
				})
			] })
		]
	});
}
/** Whether a value is a time as a text, which takes more room. */
function isTime(node) {
	return node?.kind === "text" && /^"\d{4}-\d\d-\d\dT/.test(node.raw);
}
function ResultGrid({ database, result }) {
	const go = useGo();
	const columns = useMemo(() => {
		const hasIds = result.rows.some((row) => textMember(member(row, "@metadata"), "@id") !== void 0);
		const names = resultColumns(result.rows);
		return [...hasIds ? [{
			key: "@id",
			title: "Id",
			width: 200
		}] : [], ...names.map((name) => {
			const isOfTimes = isTime(member(result.rows[0], name));
			const isNumber = result.rows.every((row) => member(row, name)?.kind === "number");
			return {
				key: `.${name}`,
				title: name,
				width: isOfTimes ? 240 : 160,
				isNumber,
				mayGrow: !isOfTimes && !isNumber
			};
		})];
	}, [result]);
	const idOf = (place) => textMember(member(result.rows[place], "@metadata"), "@id");
	const cell = useCallback((place, column) => {
		const row = result.rows[place];
		if (column.key === "@id") {
			const id = textMember(member(row, "@metadata"), "@id");
			return id ? /* @__PURE__ */ jsx(Link, {
				href: documentUrl(database, id),
				tabIndex: -1,
				children: id
			}) : "";
		}
		return /* @__PURE__ */ jsx(Value, {
			database,
			node: member(row, column.key.slice(1))
		});
	}, [result, database]);
	if (result.rows.length === 0) return /* @__PURE__ */ jsx(Empty, {
		icon: "search",
		title: "Nothing is found",
		children: "The query is right; no document meets it."
	});
	return /* @__PURE__ */ jsx(Grid, {
		name: "Results. Enter opens the document.",
		rows: result.rows.length,
		columns,
		cell,
		onWindow: ignore,
		onOpen: (place) => {
			const id = idOf(place);
			if (id) go(documentUrl(database, id));
		}
	});
}
function ignore() {}
function Explain({ database, query, parameters }) {
	const explain = useQuery({
		queryKey: [
			"explain",
			database,
			query,
			parameters
		],
		queryFn: async ({ signal }) => {
			const answer = await send("POST", databasePath(database, "queries"), {
				query: { debug: "explain" },
				body: queryBody(query, parameters, 0),
				signal
			});
			return JSON.parse(answer.text);
		},
		retry: false
	});
	if (explain.error) return /* @__PURE__ */ jsx(ErrorBox, {
		error: explain.error,
		onRetry: () => void explain.refetch()
	});
	if (!explain.data) return /* @__PURE__ */ jsx(Loading, { what: "how it is answered" });
	const others = explain.data.Results ?? [];
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll padded",
		"aria-label": "How it is answered",
		tabIndex: 0,
		children: [/* @__PURE__ */ jsxs("p", { children: [
			"Answered by ",
			/* @__PURE__ */ jsx("strong", {
				className: "mono",
				children: explain.data.IndexName || "the documents themselves"
			}),
			"."
		] }), others.length > 0 && /* @__PURE__ */ jsxs("table", {
			className: "plain-table",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [/* @__PURE__ */ jsx("th", { children: "Index" }), /* @__PURE__ */ jsx("th", { children: "Why not, or why" })] }) }), /* @__PURE__ */ jsx("tbody", { children: others.map((one) => /* @__PURE__ */ jsxs("tr", { children: [/* @__PURE__ */ jsx("td", {
				className: "mono",
				children: one.Index
			}), /* @__PURE__ */ jsx("td", { children: one.Reason })] }, one.Index)) })]
		})]
	});
}
function Timings({ result, onTimings }) {
	return result.timings ? /* @__PURE__ */ jsx(Flame, { root: result.timings }) : /* @__PURE__ */ jsx(Empty, {
		icon: "clock",
		title: "This run was not timed",
		action: /* @__PURE__ */ jsx(Button, {
			kind: "primary",
			icon: "play",
			onClick: onTimings,
			children: "Run it with timings"
		}),
		children: "The query gets “include timings()”."
	});
}
function Raw({ text }) {
	const [laid, setLaid] = useState();
	useEffect(() => {
		let isNow = true;
		runJob("format", text, true).catch(() => text).then((made) => isNow && setLaid(made));
		return () => {
			isNow = false;
		};
	}, [text]);
	if (laid === void 0) return /* @__PURE__ */ jsx(Loading, { what: "the answer" });
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll padded raw",
		"aria-label": "The answer as it came",
		tabIndex: 0,
		children: [/* @__PURE__ */ jsx(CopyButton, { text: laid }), /* @__PURE__ */ jsx("pre", { children: laid.length > 5e5 ? `${laid.slice(0, 5e5)}\n… cut here; Copy has all of it` : laid })]
	});
}

export { QueryResults };