import { asCurl } from "../api/copyAs.js";
import { loggedRequests, watchRequests } from "../api/requestLog.js";
import { CopyButton } from "../ui/copy.js";
import { Dialog } from "../ui/dialog.js";
import { formatBytes, formatDuration } from "../ui/format.js";
import { jsx, jsxs, useSyncExternalStore } from "../vendor/react.js";

// src/app/requestDrawer.tsx
/** Every request that this page has made, the newest first; each can be copied as a call of curl. */
function RequestDrawer({ onClose }) {
	const requests = useSyncExternalStore(watchRequests, loggedRequests);
	return /* @__PURE__ */ jsx(Dialog, {
		title: "Requests of this page",
		isOpen: true,
		onClose,
		wide: true,
		children: /* @__PURE__ */ jsx("section", {
			className: "scroll",
			"aria-label": "Requests",
			tabIndex: 0,
			children: /* @__PURE__ */ jsxs("table", {
				className: "plain-table",
				children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsx("th", { children: "Request" }),
					/* @__PURE__ */ jsx("th", { children: "Answer" }),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Time"
					}),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Length"
					}),
					/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
						className: "offscreen",
						children: "Copy"
					}) })
				] }) }), /* @__PURE__ */ jsx("tbody", { children: requests.map((one) => /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsxs("td", {
						className: "mono break",
						children: [
							one.method,
							" ",
							one.url
						]
					}),
					/* @__PURE__ */ jsx("td", { children: one.status === void 0 ? "runs" : one.status === 0 ? "none" : one.status }),
					/* @__PURE__ */ jsx("td", {
						className: "number",
						children: one.status === void 0 ? "" : formatDuration(one.durationMs)
					}),
					/* @__PURE__ */ jsx("td", {
						className: "number",
						children: one.status === void 0 ? "" : formatBytes(one.length)
					}),
					/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(CopyButton, {
						text: () => asCurl({
							...one,
							url: new URL(one.url, window.location.origin).href
						}),
						children: "curl"
					}) })
				] }, one.id)) })]
			})
		})
	});
}

export { RequestDrawer };