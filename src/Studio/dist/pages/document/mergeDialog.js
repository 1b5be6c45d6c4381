import { announce } from "../../app/announcer.js";
import { mergeJson, pathText } from "../../json/jsonMerge.js";
import { printJson } from "../../json/jsonTree.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { plural } from "../../ui/format.js";
import { ErrorBox } from "../../ui/states.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/document/mergeDialog.tsx
const SIDES = [
	{
		side: "base",
		title: "Before both"
	},
	{
		side: "theirs",
		title: "Theirs, stored now"
	},
	{
		side: "mine",
		title: "Mine"
	}
];
/** Two changed one document: shows what each changed, asks where they differ, and saves what came of it. */
function MergeDialog({ id, base, theirs, mine, onClose, onTakeTheirs, onSave }) {
	const [merge] = useState(() => theirs ? mergeJson(base, theirs, mine) : void 0);
	const [choices, setChoices] = useState([]);
	const [error, setError] = useState();
	const [isBusy, setBusy] = useState(false);
	const open = (merge?.conflicts ?? []).filter((_, at) => choices[at] === void 0).length;
	const merged = merge ? merge.resolve(choices) : mine;
	const save = async () => {
		if (!merged || open > 0) return;
		setBusy(true);
		setError(void 0);
		try {
			await onSave(printJson(merged, 2));
		} catch (failure) {
			setError(failure);
			announce("It was not saved.");
		} finally {
			setBusy(false);
		}
	};
	return /* @__PURE__ */ jsxs(Dialog, {
		title: `${id} was changed by another client`,
		isOpen: true,
		onClose,
		wide: true,
		children: [
			!merge && /* @__PURE__ */ jsxs("p", { children: [/* @__PURE__ */ jsx("strong", { children: "It was deleted meanwhile." }), " Saving stores your text as a new document under the same id."] }),
			merge && /* @__PURE__ */ jsxs("p", { children: [
				plural(merge.fromTheirs, "change"),
				" of theirs and ",
				plural(merge.fromMine, "change"),
				" of yours go together.",
				" ",
				merge.conflicts.length === 0 ? "Nothing was changed by both." : `${plural(merge.conflicts.length, "place")} you both changed: choose.`
			] }),
			/* @__PURE__ */ jsxs("div", {
				className: "scroll merge-places",
				children: [merge?.conflicts.map((conflict, at) => /* @__PURE__ */ jsxs("fieldset", {
					className: "merge-place",
					children: [/* @__PURE__ */ jsx("legend", {
						className: "mono",
						children: pathText(conflict.path)
					}), SIDES.map(({ side, title }) => /* @__PURE__ */ jsxs("label", {
						className: choices[at] === side ? "merge-side is-chosen" : "merge-side",
						children: [/* @__PURE__ */ jsxs("span", { children: [/* @__PURE__ */ jsx("input", {
							type: "radio",
							name: `place-${at}`,
							checked: choices[at] === side,
							onChange: () => {
								const next = [...choices];
								next[at] = side;
								setChoices(next);
							}
						}), title] }), /* @__PURE__ */ jsx("pre", { children: conflict[side] ? printJson(conflict[side], 2) : "(not there)" })]
					}, side))]
				}, pathText(conflict.path))), merged && /* @__PURE__ */ jsxs("details", { children: [/* @__PURE__ */ jsx("summary", { children: "What is going to be saved" }), /* @__PURE__ */ jsx("pre", {
					className: "merged",
					children: printJson(merged, 2)
				})] })]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: "It was not saved: close this and save again to see what changed since",
				error
			}),
			/* @__PURE__ */ jsxs("div", {
				className: "row end",
				children: [
					/* @__PURE__ */ jsx(Button, {
						onClick: onClose,
						children: "Back to the editor"
					}),
					theirs && /* @__PURE__ */ jsx(Button, {
						onClick: onTakeTheirs,
						children: "Drop mine, take theirs"
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "save",
						isBusy,
						refusal: open > 0 ? `Choose at ${plural(open, "place")} first.` : void 0,
						onClick: () => void save(),
						children: merge ? "Save merged" : "Store it again"
					})
				]
			})
		]
	});
}

export { MergeDialog };