import { Button } from "./button.js";
import { formatCount } from "./format.js";
import { jsx, jsxs } from "../vendor/react.js";

// src/ui/pager.tsx
/** Goes through a list page by page, if it has more than one. */
function Pager({ start, size, shown, total, hasMore = total !== void 0 && start + shown < total, onStart }) {
	if (start === 0 && !hasMore) return null;
	return /* @__PURE__ */ jsxs("div", {
		className: "row pager",
		children: [
			/* @__PURE__ */ jsx(Button, {
				refusal: start === 0 ? "These are the first." : void 0,
				onClick: () => onStart(start > size ? String(start - size) : void 0),
				children: "Before"
			}),
			/* @__PURE__ */ jsxs("span", {
				className: "muted",
				children: [shown > 0 && `${formatCount(start + 1)} to ${formatCount(start + shown)}`, total !== void 0 && ` of ${formatCount(total)}`]
			}),
			/* @__PURE__ */ jsx(Button, {
				refusal: hasMore ? void 0 : "These are the last.",
				onClick: () => onStart(String(start + size)),
				children: "Next"
			})
		]
	});
}

export { Pager };