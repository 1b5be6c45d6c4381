import { send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { base64Of } from "../../ui/saveFile.js";
import { ErrorBox } from "../../ui/states.js";
import { useTask } from "../../ui/useTask.js";
import { replaceRefusal } from "./certificateModel.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/certificates/replaceDialog.tsx
/** Gives the server another certificate, which it checks before it takes it. */
function ReplaceDialog({ who, onClose }) {
	const [file, setFile] = useState();
	const { isBusy, error, run } = useTask();
	const refusal = replaceRefusal(who, file);
	const replace = () => run(async () => {
		if (!file) return;
		await send("POST", "/admin/certificates/replace-cluster-cert", {
			body: { Certificate: await base64Of(file) },
			isSecret: true
		});
		announce("The server has another certificate.");
		onClose();
	});
	return /* @__PURE__ */ jsx(Dialog, {
		title: "Replace the server's certificate",
		isOpen: true,
		onClose,
		children: /* @__PURE__ */ jsxs("form", {
			className: "stack",
			onSubmit: (event) => {
				event.preventDefault();
				if (refusal === void 0 && !isBusy) replace();
			},
			children: [
				/* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx("strong", { children: "New connections are shown the new certificate at once: whoever does not trust it is cut off." }) }),
				/* @__PURE__ */ jsx("p", { children: "The server checks it as at its start, and keeps the file before it as .old. Connections that are open go on, this page among them." }),
				/* @__PURE__ */ jsxs("label", {
					className: "field",
					children: [/* @__PURE__ */ jsx("span", { children: "File: .pfx (PKCS#12) with its key, without a password" }), /* @__PURE__ */ jsx("input", {
						type: "file",
						accept: ".pfx,.p12",
						onChange: (event) => setFile(event.target.files?.[0])
					})]
				}),
				error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
					title: "The server keeps the certificate that it has",
					error
				}),
				/* @__PURE__ */ jsxs("div", {
					className: "row end",
					children: [/* @__PURE__ */ jsx(Button, {
						onClick: onClose,
						children: "Cancel"
					}), /* @__PURE__ */ jsx(Button, {
						kind: "danger",
						type: "submit",
						isBusy,
						refusal,
						children: "Replace it"
					})]
				})
			]
		})
	});
}

export { ReplaceDialog };