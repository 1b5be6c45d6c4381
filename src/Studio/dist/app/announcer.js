import { jsx, useSyncExternalStore } from "../vendor/react.js";

// src/app/announcer.tsx
let said = {
	text: "",
	turn: 0
};
const listeners = /* @__PURE__ */ new Set();
/** Says something to readers of the screen, politely. */
function announce(text) {
	said = {
		text,
		turn: said.turn + 1
	};
	for (const listener of listeners) listener();
}
/** The one live region of the page. */
function Announcer() {
	const now = useSyncExternalStore((listener) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	}, () => said);
	return /* @__PURE__ */ jsx("div", {
		className: "offscreen",
		role: "status",
		"aria-live": "polite",
		children: now.text + "\xA0".repeat(now.turn % 2)
	});
}

export { Announcer, announce };