import { Link } from "../../app/link.js";
import { placeUrl } from "../../app/places.js";
import { formatCount } from "../../ui/format.js";
import { groupState } from "./clusterModel.js";
import { NodeChips, SaidChip, Trouble } from "./saidChip.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/cluster/groupTable.tsx
/** The place of the nodes of a database. */
function groupUrl(database) {
	return placeUrl("/cluster", { name: database });
}
/** The databases of the cluster: who keeps each, and how they are. */
function GroupTable({ groups }) {
	return /* @__PURE__ */ jsx("section", {
		className: "table-box",
		"aria-label": "Databases",
		tabIndex: 0,
		children: /* @__PURE__ */ jsxs("table", {
			className: "plain-table roomy",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", { children: "Database" }),
				/* @__PURE__ */ jsx("th", { children: "State" }),
				/* @__PURE__ */ jsx("th", { children: "Nodes" }),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Epoch"
				}),
				/* @__PURE__ */ jsx("th", { children: "What to do" })
			] }) }), /* @__PURE__ */ jsx("tbody", { children: groups.map((group) => /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", {
					scope: "row",
					className: "ellipsis",
					children: /* @__PURE__ */ jsx(Link, {
						href: groupUrl(group.Name),
						children: group.Name
					})
				}),
				/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(SaidChip, { said: groupState(group) }) }),
				/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(NodeChips, { nodes: group.Nodes }) }),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: formatCount(group.Epoch)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "sentence",
					children: /* @__PURE__ */ jsx(Trouble, {
						what: group.Hindrance,
						advice: group.Advice
					})
				})
			] }, group.Name)) })]
		})
	});
}

export { GroupTable, groupUrl };