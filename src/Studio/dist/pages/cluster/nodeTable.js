import { send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { useMay } from "../../app/pages.js";
import { Confirm } from "../../ui/dialog.js";
import { formatBytes } from "../../ui/format.js";
import { Menu } from "../../ui/menu.js";
import { nodeState, storeState } from "./clusterModel.js";
import { SaidChip, Trouble } from "./saidChip.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/cluster/nodeTable.tsx
const VOICES = {
	Member: "votes",
	Promotable: "will vote",
	Watcher: "looks on"
};
/** The nodes of the cluster: where each is, whether it lives, and how it finds etcd. */
function NodeTable({ health, stores, onChanged }) {
	const [leaving, setLeaving] = useState();
	const mayChange = useMay("DELETE /admin/cluster/node");
	return /* @__PURE__ */ jsxs("section", {
		className: "table-box",
		"aria-label": "Nodes",
		tabIndex: 0,
		children: [/* @__PURE__ */ jsxs("table", {
			className: "plain-table roomy",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", { children: "Node" }),
				/* @__PURE__ */ jsx("th", { children: "Address" }),
				/* @__PURE__ */ jsx("th", { children: "State" }),
				/* @__PURE__ */ jsx("th", { children: "Voice" }),
				/* @__PURE__ */ jsx("th", { children: "Version" }),
				/* @__PURE__ */ jsx("th", { children: "etcd" }),
				/* @__PURE__ */ jsx("th", { children: "What to do" }),
				/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
					className: "offscreen",
					children: "Actions"
				}) })
			] }) }), /* @__PURE__ */ jsx("tbody", { children: health.Nodes.map((node) => {
				const store = stores.get(node.NodeTag) ?? null;
				return /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsxs("th", {
						scope: "row",
						className: "nowrap",
						children: [node.NodeTag, node.NodeTag === health.NodeTag && /* @__PURE__ */ jsx("span", {
							className: "muted",
							children: " (here)"
						})]
					}),
					/* @__PURE__ */ jsx("td", {
						className: "mono nowrap",
						children: node.Url
					}),
					/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(SaidChip, { said: nodeState(node) }) }),
					/* @__PURE__ */ jsx("td", { children: VOICES[node.Role] ?? node.Role }),
					/* @__PURE__ */ jsx("td", { children: node.Version ?? "–" }),
					/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(SaidChip, {
						said: storeState(store),
						title: storeTitle(store)
					}) }),
					/* @__PURE__ */ jsxs("td", {
						className: "sentence",
						children: [
							/* @__PURE__ */ jsx(Trouble, {
								what: node.Hindrance,
								advice: node.Advice
							}),
							" ",
							store && /* @__PURE__ */ jsx(Trouble, {
								what: store.Problem,
								advice: store.Advice
							})
						]
					}),
					/* @__PURE__ */ jsx("td", {
						className: "actions",
						children: mayChange && health.Nodes.length > 1 && /* @__PURE__ */ jsx(Menu, {
							name: `Actions of node ${node.NodeTag}`,
							entries: [{
								text: "Take it out of the cluster…",
								icon: "trash",
								isDanger: true,
								onSelect: () => setLeaving(node)
							}]
						})
					})
				] }, node.NodeTag);
			}) })]
		}), leaving && /* @__PURE__ */ jsx(LeaveDialog, {
			node: leaving,
			onClose: () => setLeaving(void 0),
			onDone: onChanged
		})]
	});
}
function storeTitle(store) {
	if (store === null) return "The node does not say it now.";
	const whose = store.IsManaged ? "its own" : "one that it was given";
	return [
		`etcd ${store.Version ?? ""}`.trim(),
		whose,
		store.SizeInBytes === null ? "" : formatBytes(store.SizeInBytes)
	].filter((part) => part !== "").join(" · ");
}
function LeaveDialog({ node, onClose, onDone }) {
	return /* @__PURE__ */ jsx(Confirm, {
		title: `Take node ${node.NodeTag} out of the cluster`,
		isOpen: true,
		first: "It leaves all databases: each is on one node less then. Its files stay on its machine.",
		action: `Take ${node.NodeTag} out`,
		typed: node.NodeTag,
		onClose,
		onConfirm: async () => {
			await send("DELETE", "/admin/cluster/node", { query: { nodeTag: node.NodeTag } });
			announce(`Node ${node.NodeTag} is out of the cluster.`);
			onDone();
		},
		children: /* @__PURE__ */ jsx("p", { children: "Databases of which it is the primary are refused: make another node their primary first. A node that has lost its disk comes back under another tag." })
	});
}

export { NodeTable };