import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { ErrorBox } from "../../ui/states.js";
import { isRunning, operationKind, operationShare, operationTone, outcomeText, progressText } from "./operationModel.js";
import { killOperation, useOperation } from "./useOperation.js";
import { Fragment, jsx, jsxs, useEffect, useState } from "../../vendor/react.js";

// src/pages/operations/operationBar.tsx
/** For how long an operation that the server does not know may still begin. */
const LATE_MS = 2e4;
/** An operation whose id the URL holds: how far it is, also after a reload, and what it ended with. */
function OperationBar({ database, id, title, mayBeLate: mayBeginLate = false, onClose, onEnd, children }) {
	const [mayBeLate, setMayBeLate] = useState(mayBeginLate);
	useEffect(() => {
		const timer = setTimeout(() => setMayBeLate(false), LATE_MS);
		return () => clearTimeout(timer);
	}, []);
	const state = useOperation(database, id, onEnd, mayBeLate);
	const [error, setError] = useState();
	const now = state.data;
	if (!now) {
		const isLost = now === null && !mayBeLate;
		return state.error ? /* @__PURE__ */ jsx(ErrorBox, {
			title: `${title}: its state cannot be read`,
			error: state.error,
			onDismiss: onClose
		}) : /* @__PURE__ */ jsxs("div", {
			className: "bar",
			role: "status",
			children: [
				/* @__PURE__ */ jsx("strong", { children: title }),
				/* @__PURE__ */ jsx("span", {
					className: "muted",
					children: isLost ? "The server does not know it: it has not begun, or is forgotten." : "is beginning…"
				}),
				/* @__PURE__ */ jsx("span", { className: "grow" }),
				now === null && /* @__PURE__ */ jsx(Button, {
					kind: "quiet",
					icon: "close",
					onClick: onClose,
					children: "Dismiss"
				})
			]
		});
	}
	const runs = isRunning(now);
	const share = operationShare(now);
	const { tone, word } = operationTone(now.Status);
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		/* @__PURE__ */ jsxs("div", {
			className: "bar",
			role: "status",
			children: [
				/* @__PURE__ */ jsx("strong", { children: title }),
				/* @__PURE__ */ jsx(Chip, {
					tone,
					children: word
				}),
				runs && /* @__PURE__ */ jsx("progress", {
					...share === void 0 ? {} : {
						max: 1,
						value: share
					},
					"aria-label": "Progress"
				}),
				/* @__PURE__ */ jsx("span", {
					className: "break",
					children: outcomeText(now) === "" ? progressText(now, operationKind(now).unit) : outcomeText(now)
				}),
				/* @__PURE__ */ jsx("span", { className: "grow" }),
				runs ? /* @__PURE__ */ jsx(Button, {
					icon: "stop",
					onClick: () => void killOperation(database, id).catch(setError),
					children: "Cancel"
				}) : /* @__PURE__ */ jsx(Button, {
					kind: "quiet",
					icon: "close",
					onClick: onClose,
					children: "Dismiss"
				})
			]
		}),
		(error ?? state.error) != null && /* @__PURE__ */ jsx(ErrorBox, {
			error: error ?? state.error,
			onDismiss: () => setError(void 0)
		}),
		!runs && children?.(now)
	] });
}

export { OperationBar };