import { ServerError, databasePath, getJson, send } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { announce } from "../../app/announcer.js";
import { Link } from "../../app/link.js";
import { databasePlace, documentUrl, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { formatCount, formatTime, plural } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { Tabs } from "../../ui/tabs.js";
import { SubscriptionMenu } from "./subscriptionActions.js";
import { SubscriptionEditor } from "./subscriptionEditor.js";
import { lagText, subscriptionState } from "./subscriptionModel.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/subscriptions/subscriptionPage.tsx
/** One subscription, or a new one. */
function SubscriptionPage() {
	const database = useDatabase();
	const { name = "", new: isNew } = useSearchState();
	return isNew ? /* @__PURE__ */ jsx(SubscriptionEditor, {
		database,
		existing: void 0
	}) : /* @__PURE__ */ jsx(ExistingSubscription, {
		database,
		name
	}, name);
}
function ExistingSubscription({ database, name }) {
	const { tab = "state" } = useSearchState();
	const setSearch = useSetSearch();
	const go = useGo();
	const state = useQuery({
		queryKey: [
			"subscription",
			database,
			name
		],
		queryFn: ({ signal }) => getJson(databasePath(database, "subscriptions/state"), {
			query: { name },
			signal
		}),
		refetchInterval: (query) => pollMs(query.state.error, 2e3),
		retry: false
	});
	const list = placeUrl(databasePlace(database, "subscriptions"));
	const one = state.data;
	if (state.error instanceof ServerError && state.error.type.includes("SubscriptionDoesNotExist")) return /* @__PURE__ */ jsx(Empty, {
		icon: "send",
		title: `There is no subscription ${name}`,
		action: /* @__PURE__ */ jsx(Link, {
			href: list,
			children: "All subscriptions"
		})
	});
	if (!one) return state.error ? /* @__PURE__ */ jsx(ErrorBox, {
		error: state.error,
		onRetry: () => void state.refetch()
	}) : /* @__PURE__ */ jsx(Loading, { what: name });
	const { tone, word } = subscriptionState(one);
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", {
						className: "mono ellipsis",
						title: name,
						children: name
					}),
					/* @__PURE__ */ jsx(Chip, {
						tone,
						children: word
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(SubscriptionMenu, {
						database,
						one,
						onDone: () => void state.refetch(),
						onDeleted: () => go(list)
					})
				]
			}),
			state.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: state.error,
				onRetry: () => void state.refetch()
			}),
			/* @__PURE__ */ jsx(Tabs, {
				name: `Parts of ${name}`,
				value: tab,
				onChange: (key) => setSearch({ tab: key === "state" ? void 0 : key }),
				entries: [
					{
						key: "state",
						title: "State",
						content: () => /* @__PURE__ */ jsx(State, {
							database,
							one
						})
					},
					{
						key: "aside",
						title: `Set aside ${formatCount(one.AsideDocuments)}`,
						content: () => /* @__PURE__ */ jsx(Aside, {
							database,
							name,
							onDone: () => void state.refetch()
						})
					},
					{
						key: "query",
						title: "Query",
						content: () => /* @__PURE__ */ jsx(SubscriptionEditor, {
							database,
							existing: one
						}, one.SubscriptionId)
					}
				]
			})
		]
	});
}
function State({ database, one }) {
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll",
		"aria-label": "State",
		tabIndex: 0,
		children: [
			/* @__PURE__ */ jsxs("dl", {
				className: "facts",
				children: [
					/* @__PURE__ */ jsx("dt", { children: "Query" }),
					/* @__PURE__ */ jsx("dd", { children: /* @__PURE__ */ jsx("pre", { children: one.Query }) }),
					/* @__PURE__ */ jsx("dt", { children: "Changes behind" }),
					/* @__PURE__ */ jsx("dd", { children: lagText(one) }),
					/* @__PURE__ */ jsx("dt", { children: "Sent" }),
					/* @__PURE__ */ jsx("dd", { children: `${plural(one.DocumentsSent, "document")}, ${plural(one.BatchesAcknowledged, "batch", "batches")} acknowledged since the database was opened` }),
					/* @__PURE__ */ jsx("dt", { children: "Last acknowledged" }),
					/* @__PURE__ */ jsx("dd", { children: one.LastBatchAckTime ? formatTime(one.LastBatchAckTime) : "never" }),
					/* @__PURE__ */ jsx("dt", { children: "Last connection" }),
					/* @__PURE__ */ jsx("dd", { children: one.LastClientConnectionTime ? formatTime(one.LastClientConnectionTime) : "never" }),
					/* @__PURE__ */ jsx("dt", { children: "Sends from" }),
					/* @__PURE__ */ jsx("dd", { children: /* @__PURE__ */ jsx("code", { children: one.ChangeVectorForNextBatchStartingPoint ?? "the first document" }) }),
					/* @__PURE__ */ jsx("dt", { children: "Archived documents" }),
					/* @__PURE__ */ jsx("dd", { children: one.ArchivedDataProcessingBehavior }),
					/* @__PURE__ */ jsx("dt", { children: "Failures" }),
					/* @__PURE__ */ jsx("dd", { children: formatCount(one.Failures) }),
					one.LastError && /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx("dt", { children: "Last failure" }), /* @__PURE__ */ jsx("dd", {
						className: "bad",
						children: /* @__PURE__ */ jsx("pre", { children: one.LastError })
					})] })
				]
			}),
			/* @__PURE__ */ jsx("h2", {
				className: "padded",
				children: "Workers"
			}),
			one.Workers.length === 0 ? /* @__PURE__ */ jsxs("p", {
				className: "muted padded",
				children: [
					"None is connected.",
					" ",
					one.Disabled ? "The subscription is disabled." : `A client opens one by the name ${one.SubscriptionName}; what it has to get waits.`
				]
			}) : /* @__PURE__ */ jsxs("table", {
				className: "plain-table",
				children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsx("th", { children: "Worker" }),
					/* @__PURE__ */ jsx("th", { children: "Strategy" }),
					/* @__PURE__ */ jsx("th", { children: "From" }),
					/* @__PURE__ */ jsx("th", { children: "Since" }),
					/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
						className: "offscreen",
						children: "Actions"
					}) })
				] }) }), /* @__PURE__ */ jsx("tbody", { children: one.Workers.map((worker, at) => /* @__PURE__ */ jsx(Worker, {
					database,
					one,
					worker
				}, `${worker.WorkerId} ${at}`)) })]
			})
		]
	});
}
function Worker({ database, one, worker }) {
	const [error, setError] = useState();
	const drop = () => {
		send("POST", databasePath(database, "subscriptions/drop"), { query: {
			name: one.SubscriptionName,
			workerId: worker.WorkerId ?? void 0
		} }).then(() => announce("The worker is disconnected.")).catch(setError);
	};
	return /* @__PURE__ */ jsxs("tr", { children: [
		/* @__PURE__ */ jsx("td", {
			className: "mono break",
			children: worker.WorkerId ?? "a lease over HTTP"
		}),
		/* @__PURE__ */ jsx("td", { children: worker.Strategy }),
		/* @__PURE__ */ jsx("td", { children: worker.Address ?? "" }),
		/* @__PURE__ */ jsx("td", {
			className: "nowrap",
			children: formatTime(worker.ConnectedAt)
		}),
		/* @__PURE__ */ jsxs("td", {
			className: "actions",
			children: [worker.WorkerId !== null && /* @__PURE__ */ jsx(Button, {
				kind: "danger",
				icon: "stop",
				onClick: drop,
				children: "Disconnect"
			}), error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				error,
				onDismiss: () => setError(void 0)
			})]
		})
	] });
}
/** Documents that failed too often: the server sends them again when it is asked to. */
function Aside({ database, name, onDone }) {
	const [error, setError] = useState();
	const aside = useQuery({
		queryKey: [
			"subscription-aside",
			database,
			name
		],
		queryFn: ({ signal }) => getJson(databasePath(database, "subscriptions/aside"), {
			query: { name },
			signal
		}),
		refetchInterval: (query) => pollMs(query.state.error, 5e3)
	});
	if (!aside.data) return aside.error ? /* @__PURE__ */ jsx(ErrorBox, {
		error: aside.error,
		onRetry: () => void aside.refetch()
	}) : /* @__PURE__ */ jsx(Loading, { what: "what was set aside" });
	const all = aside.data.Results;
	const resend = (id) => {
		setError(void 0);
		send("POST", databasePath(database, "subscriptions/resend"), { query: {
			name,
			id
		} }).then((answer) => {
			const { Count } = JSON.parse(answer.text);
			announce(`${plural(Count, "document")} sent again.`);
		}).catch(setError).finally(() => {
			aside.refetch();
			onDone();
		});
	};
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll",
		"aria-label": "Set aside",
		tabIndex: 0,
		children: [
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: "Not sent again",
				error,
				onDismiss: () => setError(void 0)
			}),
			/* @__PURE__ */ jsxs("div", {
				className: "row padded",
				children: [/* @__PURE__ */ jsx(Button, {
					icon: "refresh",
					refusal: all.length === 0 ? "Nothing was set aside." : void 0,
					onClick: () => resend(void 0),
					children: "Send all again"
				}), /* @__PURE__ */ jsx(SendOne, { onSend: resend })]
			}),
			all.length === 0 ? /* @__PURE__ */ jsx(Empty, {
				icon: "check",
				title: "Nothing is set aside",
				children: "A document that was sent ten times without being acknowledged stands here."
			}) : /* @__PURE__ */ jsxs("table", {
				className: "plain-table",
				children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsx("th", { children: "Document" }),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Tries"
					}),
					/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
						className: "offscreen",
						children: "Actions"
					}) })
				] }) }), /* @__PURE__ */ jsx("tbody", { children: all.slice(0, 1e3).map((one) => /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsx("th", {
						scope: "row",
						className: "break",
						children: /* @__PURE__ */ jsx(Link, {
							href: documentUrl(database, one.Id),
							children: one.Id
						})
					}),
					/* @__PURE__ */ jsx("td", {
						className: "number",
						children: formatCount(one.Tries)
					}),
					/* @__PURE__ */ jsx("td", {
						className: "actions",
						children: /* @__PURE__ */ jsx(Button, {
							icon: "refresh",
							"aria-label": `Send ${one.Id} again`,
							onClick: () => resend(one.Id),
							children: "Send again"
						})
					})
				] }, one.Id)) })]
			})
		]
	});
}
/** Any document can be sent again by its id. */
function SendOne({ onSend }) {
	const [id, setId] = useState("");
	return /* @__PURE__ */ jsxs("form", {
		className: "row",
		onSubmit: (event) => {
			event.preventDefault();
			if (id.trim() !== "") onSend(id.trim());
		},
		children: [/* @__PURE__ */ jsx("input", {
			"aria-label": "Id of a document to be sent again",
			placeholder: "orders/1-A",
			value: id,
			spellCheck: false,
			onChange: (event) => setId(event.target.value)
		}), /* @__PURE__ */ jsx(Button, {
			type: "submit",
			refusal: id.trim() === "" ? "Write an id first." : void 0,
			children: "Send this one again"
		})]
	});
}

export { SubscriptionPage };