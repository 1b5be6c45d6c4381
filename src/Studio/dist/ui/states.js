import { ServerError } from "../api/http.js";
import { Button } from "./button.js";
import { CopyButton } from "./copy.js";
import { Icon } from "./icon.js";
import { jsx, jsxs, useEffect, useState } from "../vendor/react.js";

// src/ui/states.tsx
/** Nothing is here yet: what it is, and one thing to do. */
function Empty({ icon, title, children, action }) {
	return /* @__PURE__ */ jsxs("div", {
		className: "state",
		children: [
			/* @__PURE__ */ jsx(Icon, {
				name: icon,
				size: 32
			}),
			/* @__PURE__ */ jsx("h2", { children: title }),
			children && /* @__PURE__ */ jsx("p", { children }),
			action
		]
	});
}
/** What is on its way: nothing for 150 ms, so that quick answers do not flicker. */
function Loading({ what, rows = 6 }) {
	const [isShown, setShown] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setShown(true), 150);
		return () => clearTimeout(timer);
	}, []);
	return /* @__PURE__ */ jsxs("div", {
		className: "skeleton",
		role: "status",
		children: [/* @__PURE__ */ jsxs("span", {
			className: "offscreen",
			children: ["Loading ", what]
		}), isShown && Array.from({ length: rows }, (_, at) => /* @__PURE__ */ jsx("div", { "aria-hidden": "true" }, at))]
	});
}
/** What went wrong, all of it, to be read, copied and tried again. */
function ErrorBox({ error, title, onRetry, onDismiss }) {
	const server = error instanceof ServerError ? error : void 0;
	const message = error instanceof Error ? error.message : String(error);
	const wait = useCountdown(server?.retryAfterSec);
	return /* @__PURE__ */ jsxs("div", {
		className: "error-box",
		role: "alert",
		children: [/* @__PURE__ */ jsx(Icon, { name: "alert" }), /* @__PURE__ */ jsxs("div", {
			className: "error-text",
			children: [
				/* @__PURE__ */ jsx("strong", { children: title ?? titleOf(server) }),
				/* @__PURE__ */ jsx("pre", { children: message }),
				server && server.status > 0 && /* @__PURE__ */ jsxs("p", {
					className: "muted",
					children: [
						server.status,
						" · ",
						server.type
					]
				}),
				server?.status === 403 && /* @__PURE__ */ jsx("p", { children: "The right that it takes stands above. An administrator of the server gives it." }),
				/* @__PURE__ */ jsxs("div", {
					className: "row",
					children: [
						onRetry && /* @__PURE__ */ jsx(Button, {
							icon: "refresh",
							onClick: onRetry,
							children: wait > 0 ? `Try again (the server asks for ${wait} s)` : "Try again"
						}),
						/* @__PURE__ */ jsx(CopyButton, { text: () => server?.report ?? message }),
						onDismiss && /* @__PURE__ */ jsx(Button, {
							kind: "quiet",
							icon: "close",
							onClick: onDismiss,
							children: "Dismiss"
						})
					]
				})
			]
		})]
	});
}
function titleOf(error) {
	if (error?.isDatabaseMissing) return "There is no such database";
	if (error?.isWithoutNode) return "Nothing was done: no node can do it now";
	if (error?.isPerhapsDone) return "Perhaps it was done: look before you try again";
	switch (error?.status) {
		case 0: return "No answer";
		case 401: return "Sign in first";
		case 403: return "Not allowed";
		case 404: return "Not there";
		case 409: return "Conflict";
		case 503: return "Not available now";
		default: return "It failed";
	}
}
function useCountdown(seconds) {
	const [left, setLeft] = useState(seconds ?? 0);
	useEffect(() => {
		setLeft(seconds ?? 0);
		const timer = seconds ? setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1e3) : void 0;
		return () => clearInterval(timer);
	}, [seconds]);
	return left;
}

export { Empty, ErrorBox, Loading };