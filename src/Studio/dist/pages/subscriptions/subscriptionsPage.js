import { databasePath, getJson } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { FilterInput } from "../../ui/filterInput.js";
import { formatCount, formatTime } from "../../ui/format.js";
import { Segments } from "../../ui/segments.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { SubscriptionMenu } from "./subscriptionActions.js";
import { isOfSubscriptionFilter, lagText, subscriptionState } from "./subscriptionModel.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/subscriptions/subscriptionsPage.tsx
/** The most rows that are drawn; a filter finds the others. */
const SHOWN_MAX = 500;
/** All subscriptions of a database: who works on them, and how far behind they are. */
function SubscriptionsPage() {
	const database = useDatabase();
	const { show = "all", filter = "" } = useSearchState();
	const setSearch = useSetSearch();
	const go = useGo();
	const list = useQuery({
		queryKey: ["subscriptions", database],
		queryFn: ({ signal }) => getJson(databasePath(database, "subscriptions"), {
			query: { pageSize: 1024 },
			signal
		}),
		refetchInterval: (query) => pollMs(query.state.error, 2e3)
	});
	if (list.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the subscriptions" });
	if (!list.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "The subscriptions cannot be listed",
		error: list.error,
		onRetry: () => void list.refetch()
	});
	const all = list.data.Results;
	const again = () => void list.refetch();
	const place = (search) => placeUrl(databasePlace(database, "subscription"), search);
	const create = /* @__PURE__ */ jsx(Button, {
		kind: "primary",
		icon: "plus",
		onClick: () => go(place({ new: "1" })),
		children: "New"
	});
	if (all.length === 0) return /* @__PURE__ */ jsx(Empty, {
		icon: "send",
		title: "There are no subscriptions",
		action: create,
		children: "A subscription sends the documents of a query, and every later change of them, to workers: each at least once."
	});
	const shown = all.filter((one) => isOfSubscriptionFilter(one, show, filter));
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Subscriptions" }),
					/* @__PURE__ */ jsx(Segments, {
						name: "Which",
						choices: [
							["all", "all"],
							["waiting", "without a worker"],
							["aside", "set aside"]
						].map(([key = "", title]) => ({
							key,
							title: `${title} ${formatCount(all.filter((one) => isOfSubscriptionFilter(one, key, "")).length)}`
						})),
						chosen: show,
						onChoose: (key) => setSearch({ show: key === "all" ? void 0 : key })
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(FilterInput, {
						initial: filter,
						onChange: (text) => setSearch({ filter: text })
					}),
					create
				]
			}),
			list.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: list.error,
				onRetry: again
			}),
			/* @__PURE__ */ jsxs("section", {
				className: "scroll",
				"aria-label": "Subscriptions",
				tabIndex: 0,
				children: [
					/* @__PURE__ */ jsxs("table", {
						className: "plain-table",
						children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
							/* @__PURE__ */ jsx("th", { children: "Name" }),
							/* @__PURE__ */ jsx("th", { children: "State" }),
							/* @__PURE__ */ jsx("th", {
								className: "number",
								title: "How many changes the subscription has not looked at yet",
								children: "Changes behind"
							}),
							/* @__PURE__ */ jsx("th", {
								className: "number",
								children: "Workers"
							}),
							/* @__PURE__ */ jsx("th", {
								className: "number",
								children: "Sent"
							}),
							/* @__PURE__ */ jsx("th", { children: "Last acknowledged" }),
							/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
								className: "offscreen",
								children: "Actions"
							}) })
						] }) }), /* @__PURE__ */ jsx("tbody", { children: shown.slice(0, SHOWN_MAX).map((one) => {
							const state = subscriptionState(one);
							return /* @__PURE__ */ jsxs("tr", { children: [
								/* @__PURE__ */ jsx("th", {
									scope: "row",
									className: "ellipsis",
									children: /* @__PURE__ */ jsx(Link, {
										href: place({ name: one.SubscriptionName }),
										children: one.SubscriptionName
									})
								}),
								/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(Chip, {
									tone: state.tone,
									...one.LastError ? { title: one.LastError } : {},
									children: state.word
								}) }),
								/* @__PURE__ */ jsx("td", {
									className: "number",
									children: lagText(one)
								}),
								/* @__PURE__ */ jsx("td", {
									className: "number",
									children: formatCount(one.Workers.length)
								}),
								/* @__PURE__ */ jsx("td", {
									className: "number",
									children: formatCount(one.DocumentsSent)
								}),
								/* @__PURE__ */ jsx("td", {
									className: "muted nowrap",
									children: one.LastBatchAckTime ? formatTime(one.LastBatchAckTime) : "never"
								}),
								/* @__PURE__ */ jsx("td", {
									className: "actions",
									children: /* @__PURE__ */ jsx(SubscriptionMenu, {
										database,
										one,
										onDone: again
									})
								})
							] }, one.SubscriptionId);
						}) })]
					}),
					shown.length === 0 && /* @__PURE__ */ jsx("p", {
						className: "muted padded",
						children: "No subscription is like that."
					}),
					shown.length > SHOWN_MAX && /* @__PURE__ */ jsx("p", {
						className: "muted padded",
						children: `${formatCount(shown.length - SHOWN_MAX)} more: filter by a part of the name.`
					})
				]
			})
		]
	});
}

export { SubscriptionsPage };