import { asCurl, queryAsCSharp, queryAsNode } from "../../api/copyAs.js";
import { databasePath, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { useDatabase, useSearchState, useSetSearch } from "../../app/places.js";
import { CodeEditor } from "../../editor/codeEditor.js";
import { rqlLanguage } from "../../editor/rqlLanguage.js";
import { Button } from "../../ui/button.js";
import { copyText } from "../../ui/copy.js";
import { ExportMenu } from "../../ui/exportMenu.js";
import { Menu } from "../../ui/menu.js";
import { ErrorBox } from "../../ui/states.js";
import { keepQuery } from "./history.js";
import { HistoryDialog } from "./historyDialog.js";
import { IndexChip } from "./indexChip.js";
import { parameterJson, parameterNames, queryBody, withTimings } from "./queryModel.js";
import { QueryResults } from "./queryResults.js";
import { useQueryRun } from "./useQueryRun.js";
import { useQuerySchema } from "./useQuerySchema.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs, useCallback, useEffect, useMemo, useRef, useState } from "../../vendor/react.js";

// src/pages/query/queryPage.tsx
/** Asks a database. All of the question is in the URL; a query that reads runs from a link. */
function QueryPage() {
	const database = useDatabase();
	const search = useSearchState();
	const setSearch = useSetSearch();
	const editor = useRef(null);
	const [initial] = useState(search.q ?? "");
	const [text, setText] = useState(initial);
	const [isHistoryOpen, setHistoryOpen] = useState(false);
	const names = useMemo(() => parameterNames(text), [text]);
	const parameters = useMemo(() => {
		const typed = {};
		for (const name of names) typed[name] = search[`p.${name}`] ?? "";
		return typed;
	}, [names, search]);
	const { run, result, error, isRunning, tookMs, cancel, dismiss } = useQueryRun(database);
	const check = useCheck(database, text, parameters, result);
	const schema = useQuerySchema(database, text, names);
	const language = useMemo(() => rqlLanguage(schema), [schema]);
	const start = Number(search.start) || 0;
	const runNow = useCallback((options = {}, query = editor.current?.text() ?? text, from = 0) => {
		if (query.trim() === "") return;
		setSearch({
			q: query,
			start: from === 0 ? void 0 : String(from)
		});
		keepQuery(database, query);
		announce("The query runs.");
		run(query, parameters, from, options);
	}, [
		database,
		parameters,
		run,
		setSearch,
		text
	]);
	useEffect(() => {
		if (initial === "") editor.current?.focus();
	}, [initial]);
	const first = useRef(runNow);
	useEffect(() => {
		if (initial !== "" && !/\bupdate\b/i.test(initial)) first.current({}, initial, start);
	}, []);
	const marks = useMemo(() => {
		const wrong = check?.Error;
		return wrong ? [{
			from: wrong.Position,
			to: wrong.Position + 1,
			severity: "error",
			message: wrong.Message
		}] : [];
	}, [check]);
	const asJson = Object.fromEntries(Object.entries(parameters).map(([name, typed]) => [name, parameterJson(typed)]));
	const url = new URL(databasePath(database, "queries"), window.location.origin).href;
	return /* @__PURE__ */ jsxs("div", {
		className: "page query-page",
		onKeyDown: (event) => {
			if (event.key === "Escape" && isRunning) {
				cancel();
				announce("The query is cancelled.");
			}
		},
		children: [
			/* @__PURE__ */ jsxs("h1", {
				className: "offscreen",
				children: ["Query of ", database]
			}),
			/* @__PURE__ */ jsx("div", {
				className: "query-editor",
				children: /* @__PURE__ */ jsx(CodeEditor, {
					handle: editor,
					name: "Query in RQL",
					initial,
					language,
					onChange: setText,
					marks,
					keys: { "Mod-Enter": () => runNow() },
					hint: "from Orders where Freight > $min order by Freight desc"
				})
			}),
			names.length > 0 && /* @__PURE__ */ jsx("div", {
				className: "row parameters",
				children: names.map((name) => /* @__PURE__ */ jsxs("label", {
					className: "field inline",
					children: [/* @__PURE__ */ jsxs("span", {
						className: "mono",
						children: ["$", name]
					}), /* @__PURE__ */ jsx("input", {
						className: "mono",
						value: search[`p.${name}`] ?? "",
						placeholder: "JSON or text",
						spellCheck: false,
						onChange: (event) => setSearch({ [`p.${name}`]: event.target.value }),
						onKeyDown: (event) => event.key === "Enter" && runNow()
					})]
				}, name))
			}),
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					isRunning ? /* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "stop",
						keys: "Esc",
						onClick: cancel,
						children: "Cancel"
					}) : /* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "play",
						keys: "Ctrl Enter",
						refusal: text.trim() === "" ? "Write a query first." : void 0,
						onClick: () => runNow(),
						children: "Run"
					}),
					/* @__PURE__ */ jsx(IndexChip, {
						check,
						onRunStale: () => runNow({ isStaleAllowed: true }),
						onRunWithoutIndex: () => runNow({ isIndexRefused: true })
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						kind: "quiet",
						icon: "history",
						onClick: () => setHistoryOpen(true),
						children: "History"
					}),
					/* @__PURE__ */ jsx(ExportMenu, {
						database,
						query: text,
						parameters: asJson,
						name: `${database}-query`
					}),
					/* @__PURE__ */ jsx(Menu, {
						name: "Copy as",
						icon: "copy",
						text: "Copy as",
						entries: [
							{
								text: "curl",
								onSelect: () => void copyText(asCurl({
									method: "POST",
									url,
									body: queryBody(text, parameters, 0)
								}))
							},
							{
								text: "C#",
								onSelect: () => void copyText(queryAsCSharp(text, asJson))
							},
							{
								text: "Node",
								onSelect: () => void copyText(queryAsNode(text, asJson))
							},
							{
								text: "Link to this page",
								onSelect: () => void copyText(window.location.href)
							}
						]
					})
				]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: "The query was refused",
				error,
				onDismiss: dismiss
			}),
			/* @__PURE__ */ jsx(QueryResults, {
				database,
				result,
				isRunning,
				tookMs,
				start,
				query: text,
				parameters,
				onPage: (from) => runNow({}, search.q ?? text, from),
				onTimings: () => {
					const next = withTimings(editor.current?.text() ?? text);
					editor.current?.replace(next);
					runNow({}, next);
				}
			}),
			isHistoryOpen && /* @__PURE__ */ jsx(HistoryDialog, {
				database,
				onClose: () => setHistoryOpen(false),
				onChoose: (query) => {
					editor.current?.replace(query);
					setHistoryOpen(false);
				}
			})
		]
	});
}
/** What the server says of a query before it runs. A server without the route says nothing. */
function useCheck(database, text, parameters, answered) {
	const [settled, setSettled] = useState(text);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(text), 300);
		return () => clearTimeout(timer);
	}, [text]);
	const check = useQuery({
		queryKey: [
			"check",
			database,
			settled,
			parameters
		],
		queryFn: async ({ signal }) => {
			const answer = await send("POST", databasePath(database, "studio/queries/check"), {
				body: queryBody(settled, parameters, 0),
				signal
			});
			return JSON.parse(answer.text);
		},
		enabled: settled.trim() !== "",
		retry: false,
		refetchInterval: (query) => query.state.data?.Index?.IsStale ? 2e3 : false
	});
	const { refetch } = check;
	useEffect(() => {
		if (answered !== void 0) refetch();
	}, [answered, refetch]);
	return settled.trim() === "" ? void 0 : check.data;
}

export { QueryPage };