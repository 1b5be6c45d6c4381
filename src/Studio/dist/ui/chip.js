import { Icon } from "./icon.js";
import { jsx, jsxs } from "../vendor/react.js";

// src/ui/chip.tsx
const ICONS = {
	good: "check",
	stale: "clock",
	bad: "alert",
	info: "info",
	none: "minus"
};
/** A state: a drawing, a word and a color, never the color alone. */
function Chip({ tone, icon, title, children }) {
	return /* @__PURE__ */ jsxs("span", {
		className: `chip ${tone}`,
		title,
		children: [/* @__PURE__ */ jsx(Icon, {
			name: icon ?? ICONS[tone],
			size: 14
		}), /* @__PURE__ */ jsx("span", { children })]
	});
}

export { Chip };