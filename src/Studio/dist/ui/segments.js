import { jsx } from "../vendor/react.js";

// src/ui/segments.tsx
/** Buttons of which one is chosen. */
function Segments({ name, choices, chosen, onChoose }) {
	return /* @__PURE__ */ jsx("div", {
		className: "segments",
		role: "group",
		"aria-label": name,
		children: choices.map(({ key, title }) => /* @__PURE__ */ jsx("button", {
			type: "button",
			"aria-pressed": chosen === key,
			onClick: () => onChoose(key),
			children: title
		}, key))
	});
}

export { Segments };