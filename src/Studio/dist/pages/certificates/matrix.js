import { useSearchState, useSetSearch } from "../../app/places.js";
import { Chip } from "../../ui/chip.js";
import { FilterInput } from "../../ui/filterInput.js";
import { formatCount } from "../../ui/format.js";
import { Empty } from "../../ui/states.js";
import { matrixDatabases, matrixRows, rightIn, rightWord } from "./certificateModel.js";
import { jsx, jsxs, useMemo, useState } from "../../vendor/react.js";

// src/pages/certificates/matrix.tsx
/** The most columns and rows that are drawn; the filter finds the others. */
const COLUMNS_MAX = 40;
const ROWS_MAX = 500;
/** Who may what: somebody a row, a database a column. */
function Matrix({ certificates, keys }) {
	const { filter = "" } = useSearchState();
	const setSearch = useSetSearch();
	const [now] = useState(() => Date.now());
	const rows = useMemo(() => matrixRows(certificates, keys, now), [
		certificates,
		keys,
		now
	]);
	const databases = useMemo(() => matrixDatabases(rows), [rows]);
	if (rows.length === 0) return /* @__PURE__ */ jsx(Empty, {
		icon: "key",
		title: "Nobody is registered",
		children: "Certificates and API keys stand here with what they may do in each database."
	});
	const wanted = filter.toLowerCase();
	const isOf = (name) => name.toLowerCase().includes(wanted);
	const named = rows.filter((row) => isOf(row.name));
	const columns = databases.filter(isOf);
	const shownRows = named.length > 0 ? named : rows;
	const shownColumns = columns.length > 0 ? columns : databases;
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll",
		"aria-label": "Who may what",
		tabIndex: 0,
		children: [/* @__PURE__ */ jsxs("div", {
			className: "row padded",
			children: [
				/* @__PURE__ */ jsx(FilterInput, {
					name: "Filter by who or by database",
					initial: filter,
					onChange: (text) => setSearch({ filter: text })
				}),
				wanted !== "" && named.length === 0 && columns.length === 0 && /* @__PURE__ */ jsx("span", { children: "Nobody and no database is called so." }),
				shownColumns.length > COLUMNS_MAX && /* @__PURE__ */ jsx("span", {
					className: "muted",
					children: `${formatCount(shownColumns.length - COLUMNS_MAX)} databases more: filter.`
				}),
				shownRows.length > ROWS_MAX && /* @__PURE__ */ jsx("span", {
					className: "muted",
					children: `${formatCount(shownRows.length - ROWS_MAX)} rows more: filter.`
				})
			]
		}), /* @__PURE__ */ jsxs("table", {
			className: "plain-table matrix",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", { children: "Who" }),
				/* @__PURE__ */ jsx("th", { children: "On the server" }),
				shownColumns.slice(0, COLUMNS_MAX).map((name) => /* @__PURE__ */ jsx("th", {
					className: "column",
					title: name,
					children: name
				}, name)),
				/* @__PURE__ */ jsx("th", { children: "Other databases" })
			] }) }), /* @__PURE__ */ jsx("tbody", { children: shownRows.slice(0, ROWS_MAX).map((row) => /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsxs("th", {
					scope: "row",
					title: row.name,
					children: [
						row.name,
						" ",
						/* @__PURE__ */ jsx("span", {
							className: "muted",
							children: row.kind
						})
					]
				}),
				/* @__PURE__ */ jsx("td", { children: row.counts ? row.clearance : /* @__PURE__ */ jsx(Chip, {
					tone: "bad",
					children: "counts no more"
				}) }),
				shownColumns.slice(0, COLUMNS_MAX).map((name) => /* @__PURE__ */ jsx("td", { children: row.counts ? /* @__PURE__ */ jsx(RightCell, { right: rightIn(row.clearance, row.permissions, name) }) : "–" }, name)),
				/* @__PURE__ */ jsx("td", { children: row.counts && row.clearance !== "ValidUser" ? /* @__PURE__ */ jsx(RightCell, { right: "Admin" }) : "–" })
			] }, row.key)) })]
		})]
	});
}
function RightCell({ right }) {
	switch (right) {
		case "Read": return /* @__PURE__ */ jsx(Chip, {
			tone: "info",
			icon: "eye",
			children: rightWord(right)
		});
		case "ReadWrite": return /* @__PURE__ */ jsx(Chip, {
			tone: "good",
			icon: "save",
			children: rightWord(right)
		});
		case "Admin": return /* @__PURE__ */ jsx(Chip, {
			tone: "stale",
			icon: "key",
			children: rightWord(right)
		});
		default: return /* @__PURE__ */ jsx("span", {
			className: "muted",
			children: rightWord(right)
		});
	}
}

export { Matrix };