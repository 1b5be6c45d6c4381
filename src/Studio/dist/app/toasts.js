import { ErrorBox } from "../ui/states.js";
import { jsx, useSyncExternalStore } from "../vendor/react.js";

// src/app/toasts.tsx
let toasts = [];
let lastId = 0;
const listeners = /* @__PURE__ */ new Set();
function change(next) {
	toasts = next;
	for (const listener of listeners) listener();
}
/** Shows an error until it is dismissed. */
function showError(title, error) {
	change([...toasts, {
		id: ++lastId,
		title,
		error
	}]);
}
/** Errors that belong to no place of the page. They stand below the content and cover nothing. */
function Toasts() {
	const shown = useSyncExternalStore((listener) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	}, () => toasts);
	return shown.length === 0 ? null : /* @__PURE__ */ jsx("section", {
		className: "toasts",
		"aria-label": "Errors",
		children: shown.map((toast) => /* @__PURE__ */ jsx(ErrorBox, {
			title: toast.title,
			error: toast.error,
			onDismiss: () => change(toasts.filter((one) => one.id !== toast.id))
		}, toast.id))
	});
}

export { Toasts, showError };