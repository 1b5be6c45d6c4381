import { watchChanges } from "../../api/changes.js";
import { changeCounter, readCounters } from "../../api/counters.js";
import { announce } from "../../app/announcer.js";
import { useSearchState, useSetSearch } from "../../app/places.js";
import { showError } from "../../app/toasts.js";
import { Button, IconButton } from "../../ui/button.js";
import { Confirm } from "../../ui/dialog.js";
import { FilterInput } from "../../ui/filterInput.js";
import { formatCount, plural } from "../../ui/format.js";
import { Menu } from "../../ui/menu.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { CounterDialog } from "./counterDialog.js";
import { groupDigits } from "./wholeNumber.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs, useEffect, useState } from "../../vendor/react.js";

// src/pages/counters/countersPart.tsx
/** More rows are not drawn: the filter finds the others. */
const SHOWN_MAX = 500;
/** The counters of a document, as they are now; adding to one never conflicts. */
function CountersPart({ database, parts, onChanged }) {
	const { id } = parts;
	const { filter = "" } = useSearchState();
	const setSearch = useSetSearch();
	const [changed, setChanged] = useState();
	const [deleted, setDeleted] = useState();
	const counters = useQuery({
		queryKey: [
			"counters",
			database,
			id
		],
		queryFn: ({ signal }) => readCounters(database, id, signal),
		staleTime: 0,
		retry: false
	});
	const { refetch } = counters;
	useEffect(() => watchChanges(database, "watch-document-counters", id, () => void refetch()), [
		database,
		id,
		refetch
	]);
	const refresh = async () => {
		await Promise.all([refetch(), onChanged()]);
	};
	const add = (name, amount) => {
		changeCounter(database, id, {
			type: "Increment",
			name,
			amount
		}).then(() => refetch()).then(({ data }) => announce(`${name} is ${data?.find((one) => one.name === name)?.value ?? "gone"}.`)).catch((error) => showError(`${name} was not changed`, error));
	};
	const all = counters.data ?? [];
	const found = all.filter((one) => one.name.toLowerCase().includes(filter.toLowerCase()));
	return /* @__PURE__ */ jsxs("section", {
		className: "page",
		"aria-label": "Counters",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", {
						className: "mono ellipsis",
						title: id,
						children: id
					}),
					/* @__PURE__ */ jsx("span", {
						className: "muted",
						children: counters.data ? plural(all.length, "counter") : ""
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(FilterInput, {
						initial: filter,
						onChange: (text) => setSearch({ filter: text })
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "plus",
						onClick: () => setChanged("new"),
						children: "New counter"
					})
				]
			}),
			counters.error && /* @__PURE__ */ jsx(ErrorBox, {
				title: "The counters cannot be read",
				error: counters.error,
				onRetry: () => void refetch()
			}),
			counters.isPending && /* @__PURE__ */ jsx(Loading, { what: "the counters" }),
			counters.data && all.length === 0 && /* @__PURE__ */ jsx(Empty, {
				icon: "plus",
				title: "It has no counters",
				children: "A counter is a number that many may add to at once, such as likes, without a conflict."
			}),
			all.length > 0 && found.length === 0 && /* @__PURE__ */ jsx(Empty, {
				icon: "filter",
				title: "No counter is called so"
			}),
			found.length > 0 && /* @__PURE__ */ jsxs("section", {
				className: "scroll",
				"aria-label": "List of counters",
				tabIndex: 0,
				children: [/* @__PURE__ */ jsxs("table", {
					className: "plain-table",
					children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", { children: "Name" }),
						/* @__PURE__ */ jsx("th", {
							className: "number",
							children: "Value"
						}),
						/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
							className: "offscreen",
							children: "Actions"
						}) })
					] }) }), /* @__PURE__ */ jsx("tbody", { children: found.slice(0, SHOWN_MAX).map((one) => /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", {
							scope: "row",
							className: "break",
							children: one.name
						}),
						/* @__PURE__ */ jsx("td", {
							className: "number mono",
							title: sharesText(one),
							children: groupDigits(one.value)
						}),
						/* @__PURE__ */ jsxs("td", {
							className: "actions nowrap",
							children: [
								/* @__PURE__ */ jsx(IconButton, {
									name: `One less of ${one.name}`,
									icon: "minus",
									onClick: () => add(one.name, "-1")
								}),
								/* @__PURE__ */ jsx(IconButton, {
									name: `One more of ${one.name}`,
									icon: "plus",
									onClick: () => add(one.name, "1")
								}),
								/* @__PURE__ */ jsx(Menu, {
									name: `Actions of ${one.name}`,
									entries: [{
										text: "Change…",
										icon: "settings",
										onSelect: () => setChanged(one)
									}, {
										text: "Delete…",
										icon: "trash",
										isDanger: true,
										onSelect: () => setDeleted(one.name)
									}]
								})
							]
						})
					] }, one.name)) })]
				}), found.length > SHOWN_MAX && /* @__PURE__ */ jsxs("p", {
					className: "muted padded",
					children: [formatCount(found.length - SHOWN_MAX), " more are not shown: the filter finds them."]
				})]
			}),
			changed && /* @__PURE__ */ jsx(CounterDialog, {
				database,
				id,
				counter: changed === "new" ? void 0 : changed,
				onClose: () => setChanged(void 0),
				onDone: () => void refresh()
			}),
			/* @__PURE__ */ jsx(Confirm, {
				title: `Delete ${deleted ?? ""}`,
				isOpen: deleted !== void 0,
				first: "The counter is deleted, and with it what was counted: there is no way back.",
				action: "Delete it",
				onClose: () => setDeleted(void 0),
				onConfirm: async () => {
					await changeCounter(database, id, {
						type: "Delete",
						name: deleted ?? ""
					});
					announce(`${deleted} is deleted.`);
					await refresh();
				}
			})
		]
	});
}
function sharesText({ shares }) {
	return shares.length > 1 ? shares.map((share) => `${groupDigits(share.value)} by database ${share.database}`).join("\n") : void 0;
}

export { CountersPart };