import { Dialog } from "../../ui/dialog.js";
import { queryHistory } from "./history.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/query/historyDialog.tsx
/** The queries that were run from this browser. */
function HistoryDialog({ database, onClose, onChoose }) {
	const [all] = useState(() => queryHistory(database));
	const [filter, setFilter] = useState("");
	const shown = all.filter((query) => query.toLowerCase().includes(filter.toLowerCase()));
	return /* @__PURE__ */ jsxs(Dialog, {
		title: "Queries run from this browser",
		isOpen: true,
		onClose,
		wide: true,
		children: [
			/* @__PURE__ */ jsx("input", {
				type: "search",
				className: "filter",
				"aria-label": "Filter",
				placeholder: "Filter",
				value: filter,
				onChange: (event) => setFilter(event.target.value)
			}),
			/* @__PURE__ */ jsx("ul", {
				className: "scroll short history",
				children: shown.map((query) => /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsx("button", {
					type: "button",
					className: "mono",
					onClick: () => onChoose(query),
					children: query
				}) }, query))
			}),
			shown.length === 0 && /* @__PURE__ */ jsx("p", {
				className: "muted",
				children: all.length === 0 ? "None was run yet." : "None has this text."
			})
		]
	});
}

export { HistoryDialog };