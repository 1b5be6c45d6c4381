import { Chip } from "../../ui/chip.js";
import { roleOf } from "./clusterModel.js";
import { Fragment, jsx, jsxs } from "../../vendor/react.js";

// src/pages/cluster/saidChip.tsx
/** A state as its words, with the color and the drawing of what it means. */
function SaidChip({ said, title }) {
	return /* @__PURE__ */ jsx(Chip, {
		tone: said.tone,
		...title === void 0 ? {} : { title },
		children: said.text
	});
}
/** The nodes of a database, each with what it is. */
function NodeChips({ nodes }) {
	return /* @__PURE__ */ jsx("span", {
		className: "chips",
		children: nodes.map((node) => {
			const { tone, text } = roleOf(node);
			return /* @__PURE__ */ jsxs(Chip, {
				tone,
				children: [
					node.NodeTag,
					" ",
					text
				]
			}, node.NodeTag);
		})
	});
}
/** What is wrong, and what to do about it. */
function Trouble({ what, advice }) {
	if (what === null && advice === null) return null;
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		what !== null && /* @__PURE__ */ jsx("span", {
			className: "bad-text",
			children: what
		}),
		" ",
		advice !== null && /* @__PURE__ */ jsx("span", { children: advice })
	] });
}

export { NodeChips, SaidChip, Trouble };