import { databasePath, getJson, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { useDatabase, useSearchState, useSetSearch } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { Confirm } from "../../ui/dialog.js";
import { FilterInput } from "../../ui/filterInput.js";
import { formatCount } from "../../ui/format.js";
import { Segments } from "../../ui/segments.js";
import { ErrorBox, Loading } from "../../ui/states.js";
import { SettingDialog } from "./settingDialog.js";
import { areSame, databaseSettings, isOfSettingsFilter, settingRows, withSetting } from "./settingsModel.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/settings/settingsPage.tsx
/** The settings of a database: what is set, where it is from, and what it is without. */
function SettingsPage() {
	const database = useDatabase();
	const { show = "all", filter = "" } = useSearchState();
	const setSearch = useSetSearch();
	const [open, setOpen] = useState();
	const [isChanged, setChanged] = useState(false);
	const [isAsked, setAsked] = useState(false);
	const path = databasePath(database, "admin/configuration/settings");
	const report = useQuery({
		queryKey: ["settings", database],
		queryFn: ({ signal }) => getJson(path, { signal })
	});
	if (report.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the settings" });
	if (!report.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "The settings cannot be read",
		error: report.error,
		onRetry: () => void report.refetch()
	});
	const rows = settingRows(report.data);
	const shown = rows.filter((row) => isOfSettingsFilter(row, show, filter));
	const seen = databaseSettings(report.data);
	const change = async (name, value) => {
		const now = databaseSettings(await getJson(path, { query: { scope: "Database" } }));
		if (!areSame(now, seen)) {
			await report.refetch();
			throw new Error("The settings were changed by somebody else since. They are read again: look, then save again.");
		}
		await send("PUT", path, {
			body: withSetting(now, name, value),
			isSecret: true
		});
		setChanged(true);
		announce(`${name} is ${value === void 0 ? "taken out" : "set"}.`);
		await report.refetch();
	};
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Settings" }),
					/* @__PURE__ */ jsx(Segments, {
						name: "Which",
						choices: [
							["all", "all"],
							["database", "of the database"],
							["set", "not default"]
						].map(([key = "", title]) => ({
							key,
							title: `${title} ${formatCount(rows.filter((row) => isOfSettingsFilter(row, key, "")).length)}`
						})),
						chosen: show,
						onChoose: (key) => setSearch({ show: key === "all" ? void 0 : key })
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(FilterInput, {
						name: "Filter by name or words",
						initial: filter,
						onChange: (text) => setSearch({ filter: text })
					}),
					/* @__PURE__ */ jsx(Button, {
						icon: "refresh",
						onClick: () => setAsked(true),
						children: "Restart…"
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "plus",
						onClick: () => setOpen({
							what: "edit",
							row: void 0
						}),
						children: "Set"
					})
				]
			}),
			isChanged && /* @__PURE__ */ jsxs("div", {
				className: "bar",
				role: "status",
				children: [
					/* @__PURE__ */ jsx("span", { children: "Settings count when the database is opened: restart it, or wait until it is opened next." }),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						kind: "quiet",
						icon: "close",
						onClick: () => setChanged(false),
						children: "Dismiss"
					})
				]
			}),
			report.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: report.error,
				onRetry: () => void report.refetch()
			}),
			/* @__PURE__ */ jsxs("section", {
				className: "scroll",
				"aria-label": "Settings",
				tabIndex: 0,
				children: [
					/* @__PURE__ */ jsxs("table", {
						className: "plain-table roomy",
						children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
							/* @__PURE__ */ jsx("th", { children: "Name" }),
							/* @__PURE__ */ jsx("th", { children: "Value" }),
							/* @__PURE__ */ jsx("th", { children: "From" }),
							/* @__PURE__ */ jsx("th", { children: "Default" }),
							/* @__PURE__ */ jsx("th", { children: "What it does" }),
							/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
								className: "offscreen",
								children: "Actions"
							}) })
						] }) }), /* @__PURE__ */ jsx("tbody", { children: shown.map((row) => /* @__PURE__ */ jsxs("tr", { children: [
							/* @__PURE__ */ jsx("th", {
								scope: "row",
								className: "mono break setting-name",
								children: row.name
							}),
							/* @__PURE__ */ jsx("td", {
								className: "mono break",
								children: row.isSecret ? /* @__PURE__ */ jsx(Chip, {
									tone: "info",
									icon: "lock",
									title: "The server shows it to nobody.",
									children: "a secret"
								}) : row.value || /* @__PURE__ */ jsx("span", {
									className: "muted",
									children: "empty"
								})
							}),
							/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(SourceChip, { row }) }),
							/* @__PURE__ */ jsx("td", {
								className: "mono break muted",
								children: row.usual || "–"
							}),
							/* @__PURE__ */ jsx("td", {
								className: "muted",
								children: row.description
							}),
							/* @__PURE__ */ jsx("td", {
								className: "actions nowrap",
								children: row.isOfDatabase && /* @__PURE__ */ jsxs(Fragment, { children: [
									/* @__PURE__ */ jsx(Button, {
										"aria-label": `Change ${row.name}`,
										onClick: () => setOpen({
											what: "edit",
											row
										}),
										children: "Change"
									}),
									" ",
									/* @__PURE__ */ jsx(Button, {
										kind: "danger",
										icon: "trash",
										"aria-label": `Take ${row.name} out`,
										onClick: () => setOpen({
											what: "remove",
											row
										})
									})
								] })
							})
						] }, `${row.source} ${row.name}`)) })]
					}),
					shown.length === 0 && /* @__PURE__ */ jsx("p", {
						className: "muted padded",
						children: "No setting is like that."
					}),
					/* @__PURE__ */ jsx("p", {
						className: "hint padded",
						children: "Settings of the server are in its own configuration, its environment or its command line: no page changes them."
					})
				]
			}),
			open?.what === "edit" && /* @__PURE__ */ jsx(SettingDialog, {
				row: open.row,
				names: rows,
				onClose: () => setOpen(void 0),
				onSave: change
			}),
			open?.what === "remove" && /* @__PURE__ */ jsx(Confirm, {
				title: `Take ${open.row.name} out`,
				isOpen: true,
				first: open.row.isSecret ? "Its secret is forgotten: to set it again it has to be entered." : `Its value ${open.row.value} is gone; the server's counts then.`,
				action: "Take it out",
				onClose: () => setOpen(void 0),
				onConfirm: () => change(open.row.name, void 0)
			}),
			/* @__PURE__ */ jsx(Confirm, {
				title: `Restart ${database}`,
				isOpen: isAsked,
				first: "The database closes, and its next use opens it with its settings of now. Who reads or writes just then waits.",
				action: "Restart it",
				onClose: () => setAsked(false),
				onConfirm: async () => {
					await send("POST", databasePath(database, "admin/restart"));
					setChanged(false);
					announce(`${database} is restarted.`);
				}
			})
		]
	});
}
function SourceChip({ row }) {
	switch (row.source) {
		case "database": return /* @__PURE__ */ jsx(Chip, {
			tone: "good",
			icon: "database",
			children: "database"
		});
		case "server": return /* @__PURE__ */ jsx(Chip, {
			tone: "info",
			icon: "settings",
			children: "server"
		});
		default: return /* @__PURE__ */ jsx("span", {
			className: "muted",
			children: "default"
		});
	}
}

export { SettingsPage };