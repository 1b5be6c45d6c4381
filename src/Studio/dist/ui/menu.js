import { Icon } from "./icon.js";
import { jsx, jsxs } from "../vendor/react.js";
import { Menu } from "../vendor/baseui.js";

// src/ui/menu.tsx
/** A button that opens a list of actions. */
function Menu$1({ name, icon = "more", text, entries }) {
	return /* @__PURE__ */ jsxs(Menu.Root, { children: [/* @__PURE__ */ jsxs(Menu.Trigger, {
		className: "button quiet",
		"aria-label": text ? void 0 : name,
		title: name,
		children: [/* @__PURE__ */ jsx(Icon, { name: icon }), text && /* @__PURE__ */ jsx("span", { children: text })]
	}), /* @__PURE__ */ jsx(Menu.Portal, { children: /* @__PURE__ */ jsx(Menu.Positioner, {
		sideOffset: 4,
		align: "end",
		className: "positioner",
		children: /* @__PURE__ */ jsx(Menu.Popup, {
			className: "menu",
			children: entries.map((entry) => /* @__PURE__ */ jsxs(Menu.Item, {
				className: entry.isDanger ? "danger" : "",
				onClick: entry.onSelect,
				children: [entry.icon && /* @__PURE__ */ jsx(Icon, { name: entry.icon }), /* @__PURE__ */ jsx("span", { children: entry.text })]
			}, entry.text))
		})
	}) })] });
}

export { Menu$1 as Menu };