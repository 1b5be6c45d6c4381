import { send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { FormDialog } from "../../ui/dialog.js";
import { base64Of } from "../../ui/saveFile.js";
import { useTask } from "../../ui/useTask.js";
import { replaceRefusal } from "./certificateModel.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/certificates/replaceDialog.tsx
/** Gives the server another certificate, which it checks before it takes it. */
function ReplaceDialog({ who, onClose }) {
	const [file, setFile] = useState();
	const task = useTask();
	const refusal = replaceRefusal(who, file);
	const replace = () => task.run(async () => {
		if (!file) return;
		await send("POST", "/admin/certificates/replace-cluster-cert", {
			body: { Certificate: await base64Of(file) },
			isSecret: true
		});
		announce("The server has another certificate.");
		onClose();
	});
	return /* @__PURE__ */ jsxs(FormDialog, {
		title: "Replace the server's certificate",
		task,
		refusal,
		action: "Replace it",
		kind: "danger",
		errorTitle: "The server keeps the certificate that it has",
		onSubmit: replace,
		onClose,
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
			})
		]
	});
}

export { ReplaceDialog };