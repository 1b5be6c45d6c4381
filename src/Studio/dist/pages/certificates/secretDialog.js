import { Button } from "../../ui/button.js";
import { CopyButton } from "../../ui/copy.js";
import { Dialog } from "../../ui/dialog.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/certificates/secretDialog.tsx
/** Shows a secret this once. It closes only by the button that says that it is kept. */
function SecretDialog({ title, secret, onClose }) {
	const [isWarned, setWarned] = useState(false);
	return /* @__PURE__ */ jsxs(Dialog, {
		title,
		isOpen: true,
		onClose: () => setWarned(true),
		children: [
			/* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx("strong", { children: "It is shown this once: the server keeps only its hash." }) }),
			/* @__PURE__ */ jsx("code", {
				className: "secret",
				children: secret
			}),
			isWarned && /* @__PURE__ */ jsx("p", {
				className: "bad",
				role: "alert",
				children: "Keep it first, then close by the button below. If it is lost, rotate the key."
			}),
			/* @__PURE__ */ jsxs("div", {
				className: "row end",
				children: [/* @__PURE__ */ jsx(CopyButton, {
					text: secret,
					children: "Copy the key"
				}), /* @__PURE__ */ jsx(Button, {
					kind: "primary",
					icon: "check",
					onClick: onClose,
					children: "I have kept it"
				})]
			})
		]
	});
}

export { SecretDialog };