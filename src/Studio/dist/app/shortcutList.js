import { Dialog } from "../ui/dialog.js";
import { SHORTCUTS, areSingleKeysOn, setSingleKeys } from "./shortcuts.js";
import { jsx, jsxs, useState } from "../vendor/react.js";

// src/app/shortcutList.tsx
/** The keys that do something. */
function ShortcutList({ onClose }) {
	const [isOn, setOn] = useState(areSingleKeysOn);
	return /* @__PURE__ */ jsxs(Dialog, {
		title: "Keyboard",
		isOpen: true,
		onClose,
		children: [/* @__PURE__ */ jsx("dl", {
			className: "keys",
			children: SHORTCUTS.map(({ keys, does, isSingle }) => /* @__PURE__ */ jsxs("div", {
				className: isSingle && !isOn ? "off" : "",
				children: [/* @__PURE__ */ jsx("dt", { children: /* @__PURE__ */ jsx("kbd", { children: keys }) }), /* @__PURE__ */ jsx("dd", { children: does })]
			}, keys))
		}), /* @__PURE__ */ jsxs("label", {
			className: "check",
			children: [/* @__PURE__ */ jsx("input", {
				type: "checkbox",
				checked: isOn,
				onChange: (event) => {
					setOn(event.target.checked);
					setSingleKeys(event.target.checked);
				}
			}), /* @__PURE__ */ jsx("span", { children: "Keys without Ctrl do something" })]
		})]
	});
}

export { ShortcutList };