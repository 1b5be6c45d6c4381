import { Icon } from "./icon.js";
import { jsx, jsxs } from "../vendor/react.js";

// src/ui/button.tsx
/** A button. One that cannot be pressed stays reachable and says why. */
function Button({ kind = "plain", icon, refusal, isBusy, keys, children, onClick, className, ...rest }) {
	const isOff = refusal !== void 0 || isBusy === true;
	return /* @__PURE__ */ jsxs("button", {
		type: "button",
		className: `button ${kind}${className ? ` ${className}` : ""}`,
		"aria-disabled": isOff || void 0,
		"aria-busy": isBusy || void 0,
		title: refusal,
		onClick: (event) => {
			if (isOff) event.preventDefault();
			else onClick?.(event);
		},
		...rest,
		children: [
			icon && /* @__PURE__ */ jsx(Icon, { name: icon }),
			children !== void 0 && /* @__PURE__ */ jsx("span", { children }),
			keys && /* @__PURE__ */ jsx("kbd", {
				"aria-hidden": "true",
				children: keys
			})
		]
	});
}
/** A button of one drawing; its name is read and shown as a hint. */
function IconButton({ name, icon, ...rest }) {
	return /* @__PURE__ */ jsx(Button, {
		kind: "quiet",
		icon,
		"aria-label": name,
		title: name,
		...rest
	});
}

export { Button, IconButton };