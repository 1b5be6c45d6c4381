import { ICON_PATHS } from "./iconPaths.js";
import { jsx } from "../vendor/react.js";

// src/ui/icon.tsx
/** A drawing beside a word: it says nothing by itself, so readers pass over it. */
function Icon({ name, size = 16 }) {
	return /* @__PURE__ */ jsx("svg", {
		className: "icon",
		width: size,
		height: size,
		viewBox: "0 0 24 24",
		"aria-hidden": "true",
		focusable: "false",
		children: ICON_PATHS[name].map((path) => /* @__PURE__ */ jsx("path", { d: path }, path))
	});
}

export { Icon };