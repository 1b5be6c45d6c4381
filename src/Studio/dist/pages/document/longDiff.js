import { runJob } from "../../json/jsonWork.js";
import { formatCount } from "../../ui/format.js";
import { ErrorBox, Loading } from "../../ui/states.js";
import { jsx, jsxs, useEffect, useState } from "../../vendor/react.js";

// src/pages/document/longDiff.tsx
const MARKS = {
	"+": "diff-added",
	"-": "diff-removed"
};
/** Two versions of a long text: the lines that differ, and some around them. The worker compares. */
function LongDiff({ name, before, after }) {
	const [diff, setDiff] = useState();
	const [error, setError] = useState();
	useEffect(() => {
		let isNow = true;
		setDiff(void 0);
		setError(void 0);
		runJob("diff", before, after).then((found) => isNow && setDiff(found)).catch((failure) => isNow && setError(failure));
		return () => {
			isNow = false;
		};
	}, [before, after]);
	if (error !== void 0) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "They cannot be compared",
		error
	});
	if (!diff) return /* @__PURE__ */ jsx(Loading, { what: "the difference" });
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll mono long-diff",
		"aria-label": name,
		tabIndex: 0,
		children: [
			diff.hunks.length === 0 && /* @__PURE__ */ jsx("p", {
				className: "muted padded",
				children: "They are alike."
			}),
			diff.hunks.map((hunk) => /* @__PURE__ */ jsxs("div", { children: [/* @__PURE__ */ jsx("p", {
				className: "muted",
				children: `line ${formatCount(hunk.before)} before, ${formatCount(hunk.after)} after`
			}), hunk.lines.map((line, at) => /* @__PURE__ */ jsx("div", {
				className: MARKS[line.charAt(0)],
				children: line
			}, at))] }, hunk.before)),
			diff.cutLines > 0 && /* @__PURE__ */ jsx("p", {
				className: "muted padded",
				children: `${formatCount(diff.cutLines)} more lines differ.`
			})
		]
	});
}

export { LongDiff };