import { databasePath, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { Link } from "../../app/link.js";
import { databasePlace, documentUrl, placeUrl, useGo } from "../../app/places.js";
import { CodeEditor } from "../../editor/codeEditor.js";
import { rqlLanguage } from "../../editor/rqlLanguage.js";
import { Button } from "../../ui/button.js";
import { plural } from "../../ui/format.js";
import { Empty, ErrorBox } from "../../ui/states.js";
import { useQuerySchema } from "../query/useQuerySchema.js";
import { readTried, startVector } from "./subscriptionModel.js";
import { useQueryClient } from "../../vendor/query.js";
import { jsx, jsxs, useMemo, useState } from "../../vendor/react.js";

// src/pages/subscriptions/subscriptionEditor.tsx
const FIRST = "from Orders as o\nwhere o.Freight > 100";
const NO_PARAMETERS = [];
const TRIED_MAX = 16;
/** Makes a subscription or changes one, and shows before that what it would send. */
function SubscriptionEditor({ database, existing }) {
	const client = useQueryClient();
	const go = useGo();
	const [name, setName] = useState(existing?.SubscriptionName ?? "");
	const [query, setQuery] = useState(existing?.Query ?? FIRST);
	const [initial] = useState(query);
	const [start, setStart] = useState(existing ? "keep" : "BeginningOfTime");
	const [vector, setVector] = useState("");
	const [archived, setArchived] = useState(existing?.ArchivedDataProcessingBehavior ?? "ExcludeArchived");
	const [tried, setTried] = useState();
	const [error, setError] = useState();
	const [busy, setBusy] = useState();
	const schema = useQuerySchema(database, query, NO_PARAMETERS);
	const language = useMemo(() => rqlLanguage(schema), [schema]);
	const position = startVector(start, vector);
	const isChanged = !existing || query !== existing.Query || name !== existing.SubscriptionName || archived !== existing.ArchivedDataProcessingBehavior || start !== "keep";
	const refusal = query.trim() === "" ? "Write a query first." : position.wrong ?? (isChanged ? void 0 : "Nothing is changed.");
	const body = {
		Query: query,
		ArchivedDataProcessingBehavior: archived,
		...position.vector === void 0 ? {} : { ChangeVector: position.vector }
	};
	const attempt = async () => {
		setBusy("try");
		setError(void 0);
		try {
			const answer = await send("POST", databasePath(database, "subscriptions/try"), {
				query: { pageSize: TRIED_MAX },
				body: start === "LastDocument" ? {
					...body,
					ChangeVector: "BeginningOfTime"
				} : body
			});
			const found = readTried(answer.text);
			setTried(found);
			announce(`It would send ${plural(found.length, "document")} first.`);
		} catch (failure) {
			setError({
				title: "It cannot be tried out",
				error: failure
			});
		} finally {
			setBusy(void 0);
		}
	};
	const save = async () => {
		if (busy || refusal !== void 0) return;
		setBusy("save");
		setError(void 0);
		try {
			const given = name.trim() === "" ? {} : { Name: name.trim() };
			const answer = existing ? await send("POST", databasePath(database, "subscriptions/update"), { body: {
				...body,
				...given,
				Id: existing.SubscriptionId
			} }) : await send("PUT", databasePath(database, "subscriptions"), { body: {
				...body,
				...given
			} });
			const stored = answer.text === "" ? name.trim() : JSON.parse(answer.text).Name;
			announce(`${stored} is stored.`);
			await client.invalidateQueries({ queryKey: ["subscription", database] });
			go(placeUrl(databasePlace(database, "subscription"), { name: stored }));
		} catch (failure) {
			setError({
				title: "It was not stored",
				error: failure
			});
		} finally {
			setBusy(void 0);
		}
	};
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					!existing && /* @__PURE__ */ jsx("h1", { children: "New subscription" }),
					/* @__PURE__ */ jsx("span", {
						className: "hint",
						children: "The condition and the projection are JavaScript: texts are equal in the same case only."
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						icon: "eye",
						isBusy: busy === "try",
						refusal: query.trim() === "" ? "Write a query first." : position.wrong,
						onClick: () => void attempt(),
						children: "Try it out"
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "save",
						keys: "Ctrl S",
						isBusy: busy === "save",
						refusal,
						onClick: () => void save(),
						children: existing ? "Save" : "Create"
					})
				]
			}),
			error && /* @__PURE__ */ jsx(ErrorBox, {
				title: error.title,
				error: error.error,
				onDismiss: () => setError(void 0)
			}),
			/* @__PURE__ */ jsx("div", {
				className: "scroll",
				tabIndex: -1,
				children: /* @__PURE__ */ jsxs("div", {
					className: "form wide subscription-editor",
					children: [
						/* @__PURE__ */ jsx(CodeEditor, {
							name: "Query of the subscription",
							initial,
							language,
							onChange: setQuery,
							keys: { "Mod-s": () => void save() }
						}),
						/* @__PURE__ */ jsxs("div", {
							className: "fields",
							children: [
								/* @__PURE__ */ jsxs("label", {
									className: "field",
									children: [/* @__PURE__ */ jsx("span", { children: "Name (empty: the server chooses one)" }), /* @__PURE__ */ jsx("input", {
										value: name,
										spellCheck: false,
										onChange: (event) => setName(event.target.value)
									})]
								}),
								/* @__PURE__ */ jsxs("label", {
									className: "field",
									children: [/* @__PURE__ */ jsx("span", { children: "Sends from" }), /* @__PURE__ */ jsxs("select", {
										value: start,
										onChange: (event) => setStart(event.target.value),
										children: [
											existing && /* @__PURE__ */ jsx("option", {
												value: "keep",
												children: "where it is"
											}),
											/* @__PURE__ */ jsx("option", {
												value: "BeginningOfTime",
												children: "the first document"
											}),
											/* @__PURE__ */ jsx("option", {
												value: "LastDocument",
												children: "what changes from now on"
											}),
											/* @__PURE__ */ jsx("option", {
												value: "vector",
												children: "a change vector"
											})
										]
									})]
								}),
								start === "vector" && /* @__PURE__ */ jsxs("label", {
									className: "field",
									children: [/* @__PURE__ */ jsx("span", { children: "Change vector" }), /* @__PURE__ */ jsx("input", {
										className: "mono",
										value: vector,
										"aria-invalid": position.wrong !== void 0,
										spellCheck: false,
										onChange: (event) => setVector(event.target.value)
									})]
								}),
								/* @__PURE__ */ jsxs("label", {
									className: "field",
									children: [/* @__PURE__ */ jsx("span", { children: "Archived documents" }), /* @__PURE__ */ jsxs("select", {
										value: archived,
										onChange: (event) => setArchived(event.target.value),
										children: [
											/* @__PURE__ */ jsx("option", {
												value: "ExcludeArchived",
												children: "are left out"
											}),
											/* @__PURE__ */ jsx("option", {
												value: "IncludeArchived",
												children: "are sent, too"
											}),
											/* @__PURE__ */ jsx("option", {
												value: "ArchivedOnly",
												children: "alone are sent"
											})
										]
									})]
								})
							]
						}),
						existing && start !== "keep" && /* @__PURE__ */ jsx("p", {
							className: "hint bad",
							children: "Its position changes: documents are sent again, or passed over."
						}),
						/* @__PURE__ */ jsx(Tried, {
							database,
							tried,
							isFromNow: start === "LastDocument"
						})
					]
				})
			})
		]
	});
}
function Tried({ database, tried, isFromNow }) {
	if (!tried) return /* @__PURE__ */ jsx("p", {
		className: "hint",
		children: "“Try it out” shows the first documents that it would send, and what its script throws."
	});
	if (tried.length === 0) return /* @__PURE__ */ jsx(Empty, {
		icon: "send",
		title: "It would send nothing",
		children: "No document is like that now."
	});
	return /* @__PURE__ */ jsxs("section", {
		className: "stack",
		"aria-label": "What it would send",
		children: [
			/* @__PURE__ */ jsx("h2", { children: `What it would send first: ${plural(tried.length, "document")}` }),
			isFromNow && /* @__PURE__ */ jsx("p", {
				className: "hint",
				children: "Those that are there now; from now on it sends what changes."
			}),
			tried.map((one) => /* @__PURE__ */ jsxs("details", {
				open: tried.length <= 3,
				children: [
					/* @__PURE__ */ jsxs("summary", { children: [/* @__PURE__ */ jsx("span", {
						className: "mono",
						children: one.id
					}), one.error !== void 0 && /* @__PURE__ */ jsxs("span", {
						className: "bad",
						children: [" ", one.error]
					})] }),
					/* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx(Link, {
						href: documentUrl(database, one.id),
						children: "Open it"
					}) }),
					/* @__PURE__ */ jsx("pre", {
						className: "details",
						children: one.text
					})
				]
			}, one.id))
		]
	});
}

export { SubscriptionEditor };