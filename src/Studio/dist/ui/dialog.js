import { Button, IconButton } from "./button.js";
import { ErrorBox } from "./states.js";
import { jsx, jsxs, useState } from "../vendor/react.js";
import { Dialog } from "../vendor/baseui.js";

// src/ui/dialog.tsx
/** A dialog over the page. */
function Dialog$1({ title, isOpen, onClose, children, wide }) {
	return /* @__PURE__ */ jsx(Dialog.Root, {
		open: isOpen,
		onOpenChange: (open) => !open && onClose(),
		children: /* @__PURE__ */ jsxs(Dialog.Portal, { children: [/* @__PURE__ */ jsx(Dialog.Backdrop, { className: "backdrop" }), /* @__PURE__ */ jsxs(Dialog.Popup, {
			className: wide ? "dialog wide" : "dialog",
			children: [/* @__PURE__ */ jsxs("div", {
				className: "dialog-head",
				children: [/* @__PURE__ */ jsx(Dialog.Title, { children: title }), /* @__PURE__ */ jsx(IconButton, {
					name: "Close",
					icon: "close",
					onClick: onClose
				})]
			}), children]
		})] })
	});
}
/** A dialog with fields, and one button that does it. It closes when whoever shows it takes it away. */
function FormDialog({ title, task, refusal, action, kind = "primary", errorTitle, onSubmit, onClose, children }) {
	return /* @__PURE__ */ jsx(Dialog$1, {
		title,
		isOpen: true,
		onClose,
		children: /* @__PURE__ */ jsxs("form", {
			className: "stack",
			onSubmit: (event) => {
				event.preventDefault();
				if (refusal === void 0 && !task.isBusy) onSubmit();
			},
			children: [
				children,
				task.error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
					...errorTitle === void 0 ? {} : { title: errorTitle },
					error: task.error
				}),
				/* @__PURE__ */ jsxs("div", {
					className: "row end",
					children: [/* @__PURE__ */ jsx(Button, {
						onClick: onClose,
						children: "Cancel"
					}), /* @__PURE__ */ jsx(Button, {
						kind,
						type: "submit",
						isBusy: task.isBusy,
						refusal,
						children: action
					})]
				})
			]
		})
	});
}
/** Asks before something that cannot be undone. What cannot be undone is the first line. */
function Confirm({ title, first, children, action, typed, refusal: refused, isOpen, onClose, onConfirm }) {
	const [text, setText] = useState("");
	const [error, setError] = useState();
	const [isBusy, setBusy] = useState(false);
	const close = () => {
		setText("");
		setError(void 0);
		onClose();
	};
	const confirm = async () => {
		setBusy(true);
		setError(void 0);
		try {
			await onConfirm();
			close();
		} catch (failure) {
			setError(failure);
		} finally {
			setBusy(false);
		}
	};
	const refusal = refused ?? (typed !== void 0 && text !== typed ? `Type ${typed} first.` : void 0);
	return /* @__PURE__ */ jsx(Dialog$1, {
		title,
		isOpen,
		onClose: close,
		children: /* @__PURE__ */ jsxs("form", {
			className: "stack",
			onSubmit: (event) => {
				event.preventDefault();
				if (refusal === void 0) confirm();
			},
			children: [
				/* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx("strong", { children: first }) }),
				children,
				typed !== void 0 && /* @__PURE__ */ jsxs("label", {
					className: "field",
					children: [/* @__PURE__ */ jsxs("span", { children: ["Type ", /* @__PURE__ */ jsx("code", { children: typed })] }), /* @__PURE__ */ jsx("input", {
						value: text,
						onChange: (event) => setText(event.target.value),
						autoComplete: "off",
						spellCheck: false
					})]
				}),
				error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, { error }),
				/* @__PURE__ */ jsxs("div", {
					className: "row end",
					children: [/* @__PURE__ */ jsx(Button, {
						onClick: close,
						children: "Cancel"
					}), /* @__PURE__ */ jsx(Button, {
						kind: "danger",
						type: "submit",
						isBusy,
						refusal,
						children: action
					})]
				})
			]
		})
	});
}

export { Confirm, Dialog$1 as Dialog, FormDialog };