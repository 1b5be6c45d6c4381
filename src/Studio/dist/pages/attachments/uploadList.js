import { Button, IconButton } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { formatBytes } from "../../ui/format.js";
import { ErrorBox } from "../../ui/states.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/attachments/uploadList.tsx
/** The files on their way, with how far each is, and those that ask for something. */
function UploadList({ queue, uploads }) {
	if (uploads.length === 0) return null;
	return /* @__PURE__ */ jsx("section", {
		className: "upload-list",
		"aria-label": "Files on their way",
		children: uploads.map((one) => /* @__PURE__ */ jsxs("div", { children: [/* @__PURE__ */ jsx(UploadLine, {
			queue,
			upload: one
		}), one.state === "failed" && /* @__PURE__ */ jsx(ErrorBox, {
			title: `${one.name} was not stored`,
			error: one.error,
			onRetry: () => queue.again(one.key),
			onDismiss: () => queue.remove(one.key)
		})] }, one.key))
	});
}
function UploadLine({ queue, upload }) {
	const { key, name, size, sent, state } = upload;
	switch (state) {
		case "failed": return null;
		case "taken": return /* @__PURE__ */ jsxs("div", {
			className: "bar",
			children: [
				/* @__PURE__ */ jsx(Chip, {
					tone: "stale",
					children: "taken"
				}),
				/* @__PURE__ */ jsxs("span", {
					className: "break",
					children: [
						"The document has an attachment ",
						/* @__PURE__ */ jsx("code", { children: name }),
						" already."
					]
				}),
				/* @__PURE__ */ jsx("span", { className: "grow" }),
				/* @__PURE__ */ jsx(Button, {
					kind: "danger",
					onClick: () => queue.again(key),
					children: "Replace it"
				}),
				/* @__PURE__ */ jsx(Button, {
					kind: "quiet",
					onClick: () => queue.remove(key),
					children: "Keep what is there"
				})
			]
		});
		default: return /* @__PURE__ */ jsxs("div", {
			className: "bar",
			children: [
				/* @__PURE__ */ jsx("span", {
					className: "break",
					children: name
				}),
				/* @__PURE__ */ jsx("progress", {
					"aria-label": `How much of ${name} has gone`,
					max: Math.max(1, size),
					value: sent
				}),
				/* @__PURE__ */ jsx("span", {
					className: "muted nowrap",
					children: state === "waits" ? "waits" : `${formatBytes(sent)} of ${formatBytes(size)}`
				}),
				/* @__PURE__ */ jsx("span", { className: "grow" }),
				/* @__PURE__ */ jsx(IconButton, {
					name: `Cancel ${name}`,
					icon: "close",
					onClick: () => queue.remove(key)
				})
			]
		});
	}
}

export { UploadList };