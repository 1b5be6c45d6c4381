import { useDatabase, useSearchState, useSetSearch } from "../../app/places.js";
import { formatBytes, formatCount } from "../../ui/format.js";
import { Tabs } from "../../ui/tabs.js";
import { OperationBar } from "../operations/operationBar.js";
import { ExportTab } from "./exportTab.js";
import { ImportTab } from "./importTab.js";
import { messagesOf, sectionsOf } from "./ioModel.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/io/ioPage.tsx
/** Moves data in and out: dumps of a whole database, and rows of CSV. */
function IoPage() {
	const database = useDatabase();
	const { tab = "import", operation, what = "Import" } = useSearchState();
	const setSearch = useSetSearch();
	const follow = (id, title) => setSearch({
		operation: String(id),
		what: title
	});
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [/* @__PURE__ */ jsx("h1", { children: "Import and export" }), /* @__PURE__ */ jsx("span", {
					className: "hint",
					children: "The list of documents and each query have an export of their own, as CSV and JSON lines."
				})]
			}),
			operation && /* @__PURE__ */ jsx("div", {
				className: "scroll short",
				tabIndex: -1,
				children: /* @__PURE__ */ jsx(OperationBar, {
					database,
					id: operation,
					title: what === "Export" ? "Export" : "Import",
					mayBeLate: true,
					onClose: () => setSearch({
						operation: void 0,
						what: void 0
					}),
					children: (state) => /* @__PURE__ */ jsx(Outcome, { state })
				}, operation)
			}),
			/* @__PURE__ */ jsx(Tabs, {
				name: "Import and export",
				value: tab,
				onChange: (key) => setSearch({ tab: key === "import" ? void 0 : key }),
				entries: [{
					key: "import",
					title: "Import",
					content: () => /* @__PURE__ */ jsx(ImportTab, {
						database,
						onStarted: follow
					})
				}, {
					key: "export",
					title: "Export",
					content: () => /* @__PURE__ */ jsx(ExportTab, {
						database,
						onStarted: follow
					})
				}]
			})
		]
	});
}
/** What was done, and what was not. */
function Outcome({ state }) {
	const figures = state.Status === "Completed" ? state.Result : state.Progress;
	const sections = sectionsOf(figures);
	const messages = messagesOf(figures);
	return /* @__PURE__ */ jsxs("section", {
		"aria-label": "What was done",
		children: [sections.length > 0 && /* @__PURE__ */ jsxs("table", {
			className: "plain-table narrow",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", { children: "Kind" }),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Done"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Failed"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Left out"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Size"
				})
			] }) }), /* @__PURE__ */ jsx("tbody", { children: sections.map((one) => /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", {
					scope: "row",
					children: one.name
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: formatCount(one.read)
				}),
				/* @__PURE__ */ jsx("td", {
					className: one.failed > 0 ? "number bad" : "number",
					children: formatCount(one.failed)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: formatCount(one.skipped)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: formatBytes(one.bytes)
				})
			] }, one.name)) })]
		}), messages.length > 0 && /* @__PURE__ */ jsxs("details", {
			className: "padded",
			open: true,
			children: [/* @__PURE__ */ jsx("summary", { children: `${formatCount(messages.length)} messages` }), /* @__PURE__ */ jsx("pre", {
				className: "details",
				children: messages.slice(0, 1e3).join("\n")
			})]
		})]
	});
}

export { IoPage };