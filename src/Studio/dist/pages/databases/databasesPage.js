import { getJson, send } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { announce } from "../../app/announcer.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { showError } from "../../app/toasts.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { Confirm, Dialog } from "../../ui/dialog.js";
import { FilterInput } from "../../ui/filterInput.js";
import { formatBytes, formatCount, plural } from "../../ui/format.js";
import { Menu } from "../../ui/menu.js";
import { Pager } from "../../ui/pager.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { groupUrl } from "../cluster/groupTable.js";
import { NodeChips } from "../cluster/saidChip.js";
import { CreateDatabase } from "./createDatabase.js";
import { keepPreviousData, useQuery, useQueryClient } from "../../vendor/query.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/databases/databasesPage.tsx
/** How many databases a page of the list has. */
const PAGE_SIZE = 100;
/** All databases that one may see. Listing them opens none. */
function DatabasesPage() {
	const { filter = "", start: startText = "0", create } = useSearchState();
	const start = Number(startText) || 0;
	const setSearch = useSetSearch();
	const [deleting, setDeleting] = useState();
	const client = useQueryClient();
	const go = useGo();
	const list = useQuery({
		queryKey: [
			"databases",
			filter,
			start
		],
		queryFn: ({ signal }) => getJson("/studio/databases", {
			query: {
				start,
				pageSize: PAGE_SIZE,
				filter: filter || void 0
			},
			signal
		}),
		placeholderData: keepPreviousData,
		refetchInterval: (query) => pollMs(query.state.error, 1e4)
	});
	const again = () => client.invalidateQueries({ queryKey: ["databases"] });
	if (list.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the databases" });
	if (!list.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "The databases cannot be listed",
		error: list.error,
		onRetry: () => void list.refetch()
	});
	const { Databases: rows, TotalResults: total } = list.data;
	const isClustered = rows.some((row) => row.Nodes);
	if (total === 0 && filter === "") return /* @__PURE__ */ jsx(FirstMinute, {});
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Databases" }),
					/* @__PURE__ */ jsx("span", {
						className: "muted",
						children: formatCount(total)
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(FilterInput, {
						initial: filter,
						onChange: (text) => setSearch({
							filter: text,
							start: void 0
						})
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "plus",
						onClick: () => setSearch({ create: "1" }, true),
						children: "New"
					})
				]
			}),
			list.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: list.error,
				onRetry: () => void list.refetch()
			}),
			/* @__PURE__ */ jsxs("section", {
				className: list.isPlaceholderData ? "scroll dimmed" : "scroll",
				"aria-label": "Databases",
				tabIndex: 0,
				children: [/* @__PURE__ */ jsxs("table", {
					className: "plain-table",
					children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", { children: "Name" }),
						/* @__PURE__ */ jsx("th", { children: "State" }),
						isClustered && /* @__PURE__ */ jsx("th", { children: "Nodes" }),
						/* @__PURE__ */ jsx("th", {
							className: "number",
							children: "Documents"
						}),
						/* @__PURE__ */ jsx("th", {
							className: "number",
							children: "On disk"
						}),
						/* @__PURE__ */ jsx("th", { children: "Indexes" }),
						/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
							className: "offscreen",
							children: "Actions"
						}) })
					] }) }), /* @__PURE__ */ jsx("tbody", { children: rows.map((row) => /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", {
							scope: "row",
							className: "ellipsis",
							children: /* @__PURE__ */ jsx(Link, {
								href: placeUrl(databasePlace(row.Name)),
								children: row.Name
							})
						}),
						/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(StateChip, { row }) }),
						isClustered && /* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(NodeChips, { nodes: row.Nodes ?? [] }) }),
						/* @__PURE__ */ jsx("td", {
							className: "number",
							children: formatCount(row.Documents)
						}),
						/* @__PURE__ */ jsx("td", {
							className: "number",
							title: row.SizeBytes === null ? void 0 : `${formatCount(row.SizeBytes)} bytes`,
							children: formatBytes(row.SizeBytes)
						}),
						/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(IndexesCell, { row }) }),
						/* @__PURE__ */ jsx("td", {
							className: "actions",
							children: /* @__PURE__ */ jsx(Menu, {
								name: `Actions of ${row.Name}`,
								entries: entriesOf(row, again, setDeleting, go)
							})
						})
					] }, row.Name)) })]
				}), rows.length === 0 && /* @__PURE__ */ jsxs("p", {
					className: "muted padded",
					children: [
						"No database has “",
						filter,
						"” in its name."
					]
				})]
			}),
			/* @__PURE__ */ jsx(Pager, {
				start,
				size: PAGE_SIZE,
				shown: rows.length,
				total,
				onStart: (next) => setSearch({ start: next }, true)
			}),
			/* @__PURE__ */ jsx(Dialog, {
				title: "New database",
				isOpen: create !== void 0,
				onClose: () => setSearch({ create: void 0 }),
				children: /* @__PURE__ */ jsx(CreateDatabase, {})
			}),
			deleting && /* @__PURE__ */ jsx(DeleteDatabase, {
				row: deleting,
				onClose: () => setDeleting(void 0),
				onDone: again
			})
		]
	});
}
/** No database yet: one field, and what to do next is done. */
function FirstMinute() {
	return /* @__PURE__ */ jsxs(Empty, {
		icon: "database",
		title: "A database holds documents, which are JSON",
		children: ["Give one a name. With sample data there is something to look at at once.", /* @__PURE__ */ jsx("span", {
			className: "first-minute",
			children: /* @__PURE__ */ jsx(CreateDatabase, {})
		})]
	});
}
function StateChip({ row }) {
	switch (row.State) {
		case "Open": return /* @__PURE__ */ jsx(Chip, {
			tone: "good",
			children: "open"
		});
		case "Faulted": return /* @__PURE__ */ jsx(Chip, {
			tone: "bad",
			...row.Fault ? { title: row.Fault } : {},
			children: "faulted"
		});
		case "Disabled": return /* @__PURE__ */ jsx(Chip, {
			tone: "none",
			icon: "stop",
			children: "disabled"
		});
		case "Elsewhere": return /* @__PURE__ */ jsx(Chip, {
			tone: "none",
			icon: "network",
			title: "Other nodes have it; this one asks them.",
			children: "on other nodes"
		});
		default: return /* @__PURE__ */ jsx(Chip, {
			tone: "none",
			title: "It opens when it is used.",
			children: "closed"
		});
	}
}
function indexesUrl(row, show) {
	return placeUrl(databasePlace(row.Name, "indexes"), { show });
}
function IndexesCell({ row }) {
	if (row.FaultyIndexes) return /* @__PURE__ */ jsx(Link, {
		href: indexesUrl(row, "errors"),
		children: /* @__PURE__ */ jsx(Chip, {
			tone: "bad",
			children: plural(row.FaultyIndexes, "faulty index", "faulty indexes")
		})
	});
	if (row.StaleIndexes) return /* @__PURE__ */ jsx(Link, {
		href: indexesUrl(row, "stale"),
		children: /* @__PURE__ */ jsx(Chip, {
			tone: "stale",
			children: `${formatCount(row.StaleIndexes)} of ${formatCount(row.Indexes)} stale`
		})
	});
	return /* @__PURE__ */ jsx(Fragment, { children: formatCount(row.Indexes) });
}
function entriesOf(row, again, onDelete, go) {
	const ofCluster = row.Nodes ? [{
		text: "Nodes",
		icon: "network",
		onSelect: () => go(groupUrl(row.Name))
	}] : [];
	const isDisabled = row.State === "Disabled";
	const word = isDisabled ? "enable" : "disable";
	return [
		...ofCluster,
		{
			text: isDisabled ? "Enable" : "Disable",
			icon: isDisabled ? "play" : "pause",
			onSelect: () => {
				send("POST", `/admin/databases/${word}`, { body: { DatabaseNames: [row.Name] } }).then(() => announce(`${row.Name} is ${word}d.`)).catch((error) => showError(`Cannot ${word} ${row.Name}`, error)).finally(again);
			}
		},
		{
			text: "Delete…",
			icon: "trash",
			isDanger: true,
			onSelect: () => onDelete(row)
		}
	];
}
function DeleteDatabase({ row, onClose, onDone }) {
	const [isHard, setHard] = useState(false);
	const count = row.Nodes?.length ?? 0;
	const onNodes = count > 1 ? ` of all ${count} nodes` : "";
	return /* @__PURE__ */ jsxs(Confirm, {
		title: `Delete ${row.Name}`,
		isOpen: true,
		first: isHard ? `Its files are deleted from the disk${onNodes}: there is no way back.` : `It leaves the server${onNodes}; its files stay on the disk.`,
		action: isHard ? "Delete it and its files" : "Delete it",
		typed: row.Name,
		onClose,
		onConfirm: async () => {
			await send("DELETE", "/admin/databases", { body: {
				DatabaseNames: [row.Name],
				HardDelete: isHard
			} });
			announce(`${row.Name} is deleted.`);
			onDone();
		},
		children: [/* @__PURE__ */ jsxs("p", { children: [row.Documents === null ? "It is closed, so its documents are not counted" : `It has ${plural(row.Documents, "document")}`, row.SizeBytes === null ? "." : `, ${formatBytes(row.SizeBytes)} on disk.`] }), /* @__PURE__ */ jsxs("label", {
			className: "check",
			children: [/* @__PURE__ */ jsx("input", {
				type: "checkbox",
				checked: isHard,
				onChange: (event) => setHard(event.target.checked)
			}), /* @__PURE__ */ jsx("span", { children: "Delete its files, too" })]
		})]
	});
}

export { DatabasesPage };