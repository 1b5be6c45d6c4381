import { announce } from "../../app/announcer.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { plural } from "../../ui/format.js";
import { ErrorBox } from "../../ui/states.js";
import { jsx, jsxs, useEffect, useState } from "../../vendor/react.js";

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
/** How much of the merged text is shown, in characters. */
const SHOWN_MAX = 2e5;
/** Two changed one document: shows what each changed, asks where they differ, and saves what came of it. */
function MergeDialog({ id, merge, mine, onClose, onTakeTheirs, onSave }) {
	const [choices, setChoices] = useState([]);
	const [error, setError] = useState();
	const [isBusy, setBusy] = useState(false);
	const [isShown, setShown] = useState(false);
	const [shown, setMerged] = useState("");
	const open = (merge?.conflicts ?? []).filter((_, at) => choices[at] === void 0).length;
	useEffect(() => {
		let isNow = isShown;
		if (isShown) resolve(merge, mine, choices).then((text) => isNow && setMerged(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text)).catch(setError);
		return () => {
			isNow = false;
		};
	}, [
		isShown,
		merge,
		mine,
		choices
	]);
	const save = async () => {
		if (isBusy || open > 0) return;
		setBusy(true);
		setError(void 0);
		try {
			await onSave(await resolve(merge, mine, choices));
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
						children: conflict.path
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
						}), title] }), /* @__PURE__ */ jsx("pre", { children: conflict[side] ?? "(not there)" })]
					}, side))]
				}, conflict.path)), /* @__PURE__ */ jsxs("details", {
					onToggle: (event) => setShown(event.currentTarget.open),
					children: [/* @__PURE__ */ jsx("summary", { children: "What is going to be saved" }), /* @__PURE__ */ jsx("pre", {
						className: "merged",
						children: shown
					})]
				})]
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
					merge && /* @__PURE__ */ jsx(Button, {
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
function resolve(merge, mine, choices) {
	return merge ? merge.resolve(choices) : Promise.resolve(mine);
}

export { MergeDialog };