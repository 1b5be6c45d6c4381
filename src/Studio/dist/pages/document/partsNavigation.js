import { Link } from "../../app/link.js";
import { databasePlace, placeUrl } from "../../app/places.js";
import { formatCount } from "../../ui/format.js";
import { jsx } from "../../vendor/react.js";

// src/pages/document/partsNavigation.tsx
/** Links to the document and to what belongs to it, with how much there is of each. */
function PartsNavigation({ database, id, parts, current }) {
	const entries = [
		{
			key: "",
			title: "Document",
			count: 0
		},
		{
			key: "revisions",
			title: "Revisions",
			count: 0
		},
		{
			key: "attachments",
			title: "Attachments",
			count: parts.attachments.length
		},
		{
			key: "counters",
			title: "Counters",
			count: parts.counters.length
		},
		{
			key: "timeseries",
			title: "Time series",
			count: parts.timeSeries.length
		}
	];
	return /* @__PURE__ */ jsx("nav", {
		className: "tab-list",
		"aria-label": `Parts of ${id}`,
		children: entries.map(({ key, title, count }) => /* @__PURE__ */ jsx(Link, {
			className: "tab",
			"aria-current": key === current ? "page" : void 0,
			href: placeUrl(databasePlace(database, "doc"), {
				id,
				tab: key
			}),
			children: count === 0 ? title : `${title} ${formatCount(count)}`
		}, key))
	});
}

export { PartsNavigation };