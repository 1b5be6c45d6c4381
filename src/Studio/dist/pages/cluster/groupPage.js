import { Link } from "../../app/link.js";
import { useMay } from "../../app/pages.js";
import { databasePlace, placeUrl } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { formatCount, plural } from "../../ui/format.js";
import { Icon } from "../../ui/icon.js";
import { Menu } from "../../ui/menu.js";
import { ErrorBox, Loading } from "../../ui/states.js";
import { copyOf, groupState, lagOf, mayBeginAnew, primaryRefusal, removalRefusal, roleOf } from "./clusterModel.js";
import { AddNode, BeginAnew, MakePrimary, Reorder, TakeOut } from "./groupDialogs.js";
import { SaidChip, Trouble } from "./saidChip.js";
import { SingleServer } from "./singleServer.js";
import { useGroup } from "./useCluster.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/cluster/groupPage.tsx
/** The nodes of one database: who is the primary, who has everything, how far the others are, and what can be done. */
function GroupPage({ name }) {
	const [open, setOpen] = useState();
	const { health, group, copies } = useGroup(name);
	const mayChange = useMay("PUT /admin/databases/node");
	const close = () => setOpen(void 0);
	const again = () => void health.refetch();
	if (health.isPending) return /* @__PURE__ */ jsx(Loading, { what: `the nodes of ${name}` });
	if (health.data?.IsClustered === false) return /* @__PURE__ */ jsx(SingleServer, {});
	if (!health.data || !group) return /* @__PURE__ */ jsx(ErrorBox, {
		title: `The nodes of ${name} cannot be looked at`,
		error: health.error,
		onRetry: again
	});
	const nodes = health.data.Nodes;
	return /* @__PURE__ */ jsxs("div", {
		className: "page scroll",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx(Link, {
						className: "button quiet",
						href: placeUrl("/cluster"),
						"aria-label": "The whole cluster",
						title: "The whole cluster",
						children: /* @__PURE__ */ jsx(Icon, { name: "back" })
					}),
					/* @__PURE__ */ jsxs("h1", {
						className: "ellipsis",
						children: ["Nodes of ", group.Name]
					}),
					/* @__PURE__ */ jsx(SaidChip, { said: groupState(group) }),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Link, {
						className: "button",
						href: placeUrl(databasePlace(group.Name)),
						children: "Open it"
					}),
					mayChange && /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx(Button, {
						refusal: group.Nodes.length < 2 ? "It is on one node." : void 0,
						onClick: () => setOpen({ what: "order" }),
						children: "Order"
					}), /* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "plus",
						onClick: () => setOpen({ what: "add" }),
						children: "Add a node"
					})] })
				]
			}),
			health.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: health.error,
				onRetry: again
			}),
			(group.Hindrance !== null || group.Advice !== null) && /* @__PURE__ */ jsxs("div", {
				className: "notice",
				role: "status",
				children: [/* @__PURE__ */ jsx(Icon, { name: group.Hindrance === null ? "info" : "alert" }), /* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx(Trouble, {
					what: group.Hindrance,
					advice: group.Advice
				}) })]
			}),
			/* @__PURE__ */ jsxs("dl", {
				className: "facts",
				children: [
					/* @__PURE__ */ jsx("dt", { children: "Primary" }),
					/* @__PURE__ */ jsx("dd", { children: group.Primary === null ? "none yet" : `node ${group.Primary}` }),
					/* @__PURE__ */ jsx("dt", { children: "A write needs" }),
					/* @__PURE__ */ jsx("dd", { children: `${plural(group.MinInSync, "node")} with everything; it waits for all that are in sync` }),
					/* @__PURE__ */ jsx("dt", { children: "Epoch" }),
					/* @__PURE__ */ jsx("dd", { children: formatCount(group.Epoch) }),
					/* @__PURE__ */ jsx("dt", { children: "Committed" }),
					/* @__PURE__ */ jsx("dd", { children: group.Committed === null ? "not known here" : `transaction ${formatCount(group.Committed)}` })
				]
			}),
			/* @__PURE__ */ jsx("section", {
				className: "table-box",
				"aria-label": `Nodes of ${group.Name}`,
				tabIndex: 0,
				children: /* @__PURE__ */ jsxs("table", {
					className: "plain-table roomy",
					children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", { children: "Node" }),
						/* @__PURE__ */ jsx("th", { children: "State" }),
						/* @__PURE__ */ jsx("th", { children: "Behind by" }),
						/* @__PURE__ */ jsx("th", { children: "Why not in sync" }),
						/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
							className: "offscreen",
							children: "Actions"
						}) })
					] }) }), /* @__PURE__ */ jsx("tbody", { children: group.Nodes.map((node) => /* @__PURE__ */ jsx(NodeRow, {
						group,
						node,
						copies,
						mayChange,
						onOpen: (what) => setOpen({
							what,
							node
						})
					}, node.NodeTag)) })]
				})
			}),
			open?.what === "add" && /* @__PURE__ */ jsx(AddNode, {
				group,
				nodes,
				onClose: close,
				onDone: again
			}),
			open?.what === "order" && /* @__PURE__ */ jsx(Reorder, {
				group,
				onClose: close,
				onDone: again
			}),
			open?.what === "primary" && /* @__PURE__ */ jsx(MakePrimary, {
				group,
				node: open.node,
				onClose: close,
				onDone: again
			}),
			open?.what === "out" && /* @__PURE__ */ jsx(TakeOut, {
				group,
				node: open.node,
				onClose: close,
				onDone: again
			}),
			open?.what === "anew" && /* @__PURE__ */ jsx(BeginAnew, {
				group,
				node: open.node,
				onClose: close,
				onDone: again
			})
		]
	});
}
function NodeRow({ group, node, copies, mayChange, onOpen }) {
	const copy = copyOf(copies.get(node.NodeTag), group.UsedBytes);
	return /* @__PURE__ */ jsxs("tr", { children: [
		/* @__PURE__ */ jsx("th", {
			scope: "row",
			children: node.NodeTag
		}),
		/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(SaidChip, { said: roleOf(node) }) }),
		/* @__PURE__ */ jsx("td", {
			className: "nowrap",
			children: copy === void 0 ? lagOf(node) : /* @__PURE__ */ jsxs("span", {
				className: "row",
				children: [/* @__PURE__ */ jsx("progress", {
					"aria-label": `Copy of node ${node.NodeTag}`,
					...copy.share === void 0 ? {} : { value: copy.share }
				}), copy.text]
			})
		}),
		/* @__PURE__ */ jsx("td", {
			className: "sentence",
			children: node.Why ?? ""
		}),
		/* @__PURE__ */ jsx("td", {
			className: "actions",
			children: mayChange && /* @__PURE__ */ jsx(NodeMenu, {
				node,
				entries: entriesOf(group, node, onOpen)
			})
		})
	] });
}
function NodeMenu({ node, entries }) {
	return entries.length === 0 ? null : /* @__PURE__ */ jsx(Menu, {
		name: `Actions of node ${node.NodeTag}`,
		entries
	});
}
/** What can be done with a node now; what cannot is not offered. */
function entriesOf(group, node, onOpen) {
	const entries = [];
	if (node.NodeTag !== group.Primary && primaryRefusal(group, node) === void 0) entries.push({
		text: "Make it the primary…",
		icon: "play",
		onSelect: () => onOpen("primary")
	});
	if (removalRefusal(group, node) === void 0) entries.push({
		text: "Take it out…",
		icon: "trash",
		isDanger: true,
		onSelect: () => onOpen("out")
	});
	if (mayBeginAnew(group, node)) entries.push({
		text: "Begin anew with what it has…",
		icon: "alert",
		isDanger: true,
		onSelect: () => onOpen("anew")
	});
	return entries;
}

export { GroupPage };