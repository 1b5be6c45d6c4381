import { send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { IconButton } from "../../ui/button.js";
import { Confirm, FormDialog } from "../../ui/dialog.js";
import { plural } from "../../ui/format.js";
import { useTask } from "../../ui/useTask.js";
import { listOf, lossOf, moved } from "./clusterModel.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/cluster/groupDialogs.tsx
/** One more node for a database. */
function AddNode({ group, nodes, onClose, onDone }) {
	const task = useTask();
	const living = nodes.filter((node) => !group.Nodes.some((one) => one.NodeTag === node.NodeTag)).filter((node) => node.IsAlive);
	const [tag, setTag] = useState("");
	return /* @__PURE__ */ jsx(FormDialog, {
		title: `Add a node to ${group.Name}`,
		task,
		action: "Add it",
		errorTitle: "The node was not added",
		refusal: living.length === 0 ? "Each node that is alive has the database already." : void 0,
		onClose,
		onSubmit: () => task.run(async () => {
			await send("PUT", "/admin/databases/node", { query: {
				name: group.Name,
				node: tag || void 0
			} });
			announce(tag === "" ? "A node is added: it gets a copy." : `Node ${tag} is added: it gets a copy.`);
			onDone();
			onClose();
		}),
		children: living.length === 0 ? /* @__PURE__ */ jsx("p", { children: "Each node of the cluster that is alive has it already. Start another server with Cluster.Node and the etcd of this cluster: it joins by itself." }) : /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [/* @__PURE__ */ jsx("span", { children: "Node" }), /* @__PURE__ */ jsxs("select", {
				value: tag,
				onChange: (event) => setTag(event.target.value),
				children: [/* @__PURE__ */ jsx("option", {
					value: "",
					children: "the one with the fewest databases"
				}), living.map((node) => /* @__PURE__ */ jsx("option", {
					value: node.NodeTag,
					children: `${node.NodeTag} · ${node.Url}`
				}, node.NodeTag))]
			})]
		}), /* @__PURE__ */ jsx("p", {
			className: "hint",
			children: "It gets a copy while writes go on, and counts as soon as it has everything."
		})] })
	});
}
/** In which order clients are told of the nodes. */
function Reorder({ group, onClose, onDone }) {
	const task = useTask();
	const [order, setOrder] = useState(group.Nodes.map((node) => node.NodeTag));
	const move = (from, to) => {
		const tag = order[from];
		setOrder(moved(order, from, to));
		announce(`Node ${tag} is number ${to + 1} of ${order.length}.`);
	};
	return /* @__PURE__ */ jsxs(FormDialog, {
		title: `Order of the nodes of ${group.Name}`,
		task,
		action: "Save the order",
		errorTitle: "The order was not changed",
		onClose,
		onSubmit: () => task.run(async () => {
			await send("POST", "/admin/databases/reorder", {
				query: { name: group.Name },
				body: { MembersOrder: order }
			});
			announce(`The order is ${listOf(order)}.`);
			onDone();
			onClose();
		}),
		children: [/* @__PURE__ */ jsx("p", {
			className: "hint",
			children: "Clients are told of the primary first, and of the others in this order."
		}), /* @__PURE__ */ jsx("ol", {
			className: "order-list",
			children: order.map((tag, at) => /* @__PURE__ */ jsxs("li", {
				className: "row",
				children: [
					/* @__PURE__ */ jsx("span", {
						className: "grow",
						children: tag
					}),
					/* @__PURE__ */ jsx(IconButton, {
						name: `Move ${tag} up`,
						icon: "chevronUp",
						refusal: at === 0 ? "It is the first." : void 0,
						onClick: () => move(at, at - 1)
					}),
					/* @__PURE__ */ jsx(IconButton, {
						name: `Move ${tag} down`,
						icon: "chevronDown",
						refusal: at === order.length - 1 ? "It is the last." : void 0,
						onClick: () => move(at, at + 1)
					})
				]
			}, tag))
		})]
	});
}
/** Another primary, without a loss. */
function MakePrimary({ group, node, onClose, onDone }) {
	const task = useTask();
	return /* @__PURE__ */ jsx(FormDialog, {
		title: `Make ${node.NodeTag} the primary of ${group.Name}`,
		task,
		action: `Make ${node.NodeTag} the primary`,
		onClose,
		onSubmit: () => task.run(async () => {
			await send("POST", "/admin/databases/primary", { query: {
				name: group.Name,
				node: node.NodeTag
			} });
			announce(`Node ${node.NodeTag} is the primary of ${group.Name}.`);
			onDone();
			onClose();
		}),
		children: /* @__PURE__ */ jsxs("p", { children: [
			"Nothing is lost: node ",
			group.Primary,
			" waits until ",
			node.NodeTag,
			" has its last write, and hands over. Writes wait for that long, mostly some tenths of a second. If ",
			node.NodeTag,
			" does not take over in time, ",
			group.Primary,
			" ",
			"goes on."
		] })
	});
}
/** One node less. */
function TakeOut({ group, node, onClose, onDone }) {
	const [isHard, setHard] = useState(false);
	const left = group.Nodes.length - 1;
	return /* @__PURE__ */ jsxs(Confirm, {
		title: `Take ${node.NodeTag} out of ${group.Name}`,
		isOpen: true,
		first: left === 1 ? `${group.Name} is on one node then: what that one loses is lost.` : `${group.Name} is on ${plural(left, "node")} then.`,
		action: isHard ? `Take ${node.NodeTag} out, and delete its files` : `Take ${node.NodeTag} out`,
		...isHard || left === 1 ? { typed: group.Name } : {},
		onClose,
		onConfirm: async () => {
			await send("DELETE", "/admin/databases", { body: {
				DatabaseNames: [group.Name],
				HardDelete: isHard,
				FromNodes: [node.NodeTag]
			} });
			announce(`Node ${node.NodeTag} does not have ${group.Name} any more.`);
			onDone();
		},
		children: [/* @__PURE__ */ jsx("p", { children: "The others have everything that it has, as far as they are in sync. It can be added again, with a new copy." }), /* @__PURE__ */ jsxs("label", {
			className: "check",
			children: [/* @__PURE__ */ jsx("input", {
				type: "checkbox",
				checked: isHard,
				onChange: (event) => setHard(event.target.checked)
			}), /* @__PURE__ */ jsx("span", { children: "Delete its files there, too" })]
		})]
	});
}
/** Another history, with what one node has: for when the others are lost for good. */
function BeginAnew({ group, node, onClose, onDone }) {
	const [isKnown, setKnown] = useState(false);
	const others = group.Nodes.filter((one) => one.NodeTag !== node.NodeTag).map((one) => one.NodeTag);
	return /* @__PURE__ */ jsxs(Confirm, {
		title: `Begin ${group.Name} anew with what ${node.NodeTag} has`,
		isOpen: true,
		first: `Acknowledged writes may be lost, and there is no way back. ${lossOf(group, node)}`,
		action: "Begin anew, and lose what only others have",
		typed: group.Name,
		refusal: isKnown ? void 0 : "Say first that the others are lost.",
		onClose,
		onConfirm: async () => {
			await send("POST", "/admin/databases/promote", { query: {
				name: group.Name,
				node: node.NodeTag,
				acceptDataLoss: true
			} });
			announce(`${group.Name} begins anew on node ${node.NodeTag}.`);
			onDone();
		},
		children: [
			/* @__PURE__ */ jsxs("p", { children: [
				"If ",
				others.length === 0 ? "the lost nodes" : listOf(others),
				" can be brought back, bring one back instead: then nothing is lost, and nothing has to be done here."
			] }),
			/* @__PURE__ */ jsxs("p", { children: [
				"Nodes that come back later get the pages of ",
				node.NodeTag,
				". What they had is kept aside in their folders; nobody merges it."
			] }),
			/* @__PURE__ */ jsxs("label", {
				className: "check",
				children: [/* @__PURE__ */ jsx("input", {
					type: "checkbox",
					checked: isKnown,
					onChange: (event) => setKnown(event.target.checked)
				}), /* @__PURE__ */ jsx("span", { children: "The other nodes are lost for good, or what only they have may be lost" })]
			})
		]
	});
}

export { AddNode, BeginAnew, MakePrimary, Reorder, TakeOut };