import { jsx, jsxs } from "../vendor/react.js";
import { Tabs } from "../vendor/baseui.js";

// src/ui/tabs.tsx
/** Tabs; which one is open is its owner's, so that the URL can hold it. */
function Tabs$1({ name, value, onChange, entries }) {
	return /* @__PURE__ */ jsxs(Tabs.Root, {
		className: "tabs",
		value,
		onValueChange: (next) => onChange(String(next)),
		children: [/* @__PURE__ */ jsx(Tabs.List, {
			className: "tab-list",
			"aria-label": name,
			children: entries.map((entry) => /* @__PURE__ */ jsx(Tabs.Tab, {
				value: entry.key,
				className: "tab",
				children: entry.title
			}, entry.key))
		}), entries.map((entry) => /* @__PURE__ */ jsx(Tabs.Panel, {
			value: entry.key,
			className: "tab-panel",
			children: entry.key === value && entry.content()
		}, entry.key))]
	});
}

export { Tabs$1 as Tabs };