import { send, sendForFile } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { Button } from "../../ui/button.js";
import { Dialog, FormDialog } from "../../ui/dialog.js";
import { base64Of, saveFile } from "../../ui/saveFile.js";
import { useTask } from "../../ui/useTask.js";
import { clearanceRefusal, endOf, readRightRows, rightRows } from "./certificateModel.js";
import { EndFields } from "./endFields.js";
import { RightsFields } from "./rightsFields.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/certificates/certificateDialog.tsx
/** Makes a certificate, registers one that is there, or changes what one may do. */
function CertificateDialog({ mode, certificate, who, onClose, onDone }) {
	const [draft, setDraft] = useState({
		name: certificate?.Name ?? "",
		clearance: certificate?.SecurityClearance ?? "ValidUser",
		rows: rightRows(certificate?.Permissions ?? {})
	});
	const [password, setPassword] = useState("");
	const [ends, setEnds] = useState({
		choice: "365",
		day: ""
	});
	const [file, setFile] = useState();
	const [made, setMade] = useState();
	const task = useTask();
	const { permissions, wrong } = readRightRows(draft.rows);
	const end = endOf(ends.choice, ends.day, Date.now());
	const refusal = clearanceRefusal(who, draft.clearance) ?? (draft.name.trim() === "" ? "Give it a name first." : void 0) ?? wrong ?? (mode === "make" ? end.wrong : void 0) ?? (mode === "put" && !file ? "Choose the file of the certificate first." : void 0);
	const body = {
		Name: draft.name.trim(),
		SecurityClearance: draft.clearance,
		Permissions: draft.clearance === "ValidUser" ? permissions : {}
	};
	const save = () => task.run(async () => {
		if (mode === "make") {
			const zip = await sendForFile("POST", "/admin/certificates", {
				body: {
					...body,
					...password === "" ? {} : { Password: password },
					...end.at ? { NotAfter: end.at } : {}
				},
				isSecret: true
			});
			setMade({
				zip,
				name: `${body.Name}.zip`
			});
			saveFile(zip, `${body.Name}.zip`);
			announce(`The certificate ${body.Name} is made.`);
		} else if (mode === "put" && file) {
			await send("PUT", "/admin/certificates", {
				body: {
					...body,
					Certificate: await base64Of(file)
				},
				isSecret: true
			});
			announce(`The certificate ${body.Name} is registered.`);
			onClose();
		} else {
			await send("POST", "/admin/certificates/edit", { body: {
				...body,
				Thumbprint: certificate?.Thumbprint
			} });
			announce(`${body.Name} is changed.`);
			onClose();
		}
		onDone();
	});
	if (made) return /* @__PURE__ */ jsxs(Dialog, {
		title: `${made.name} is made`,
		isOpen: true,
		onClose,
		children: [
			/* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx("strong", { children: "The private key is in this file and nowhere else: the server has not kept it." }) }),
			/* @__PURE__ */ jsxs("p", { children: [
				"The browser saves ",
				made.name,
				": a .pfx ",
				password === "" ? "without a password" : "under its password",
				", a .crt, a .key and a .pem."
			] }),
			/* @__PURE__ */ jsxs("div", {
				className: "row end",
				children: [/* @__PURE__ */ jsx(Button, {
					icon: "download",
					onClick: () => saveFile(made.zip, made.name),
					children: "Save it again"
				}), /* @__PURE__ */ jsx(Button, {
					kind: "primary",
					icon: "check",
					onClick: onClose,
					children: "I have it"
				})]
			})
		]
	});
	return /* @__PURE__ */ jsxs(FormDialog, {
		title: TITLES[mode],
		task,
		refusal,
		action: BUTTONS[mode],
		onSubmit: save,
		onClose,
		children: [
			mode === "put" && /* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "File: .crt, .pem, .cer, or .pfx without a password" }), /* @__PURE__ */ jsx("input", {
					type: "file",
					onChange: (event) => setFile(event.target.files?.[0])
				})]
			}),
			/* @__PURE__ */ jsx(RightsFields, {
				draft,
				who,
				isKey: false,
				onChange: setDraft
			}),
			mode === "make" && /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Password of the .pfx (optional)" }), /* @__PURE__ */ jsx("input", {
					type: "password",
					autoComplete: "new-password",
					value: password,
					onChange: (event) => setPassword(event.target.value)
				})]
			}), /* @__PURE__ */ jsx(EndFields, {
				value: ends,
				wrong: end.wrong,
				canBeEndless: false,
				onChange: setEnds
			})] }),
			mode === "edit" && /* @__PURE__ */ jsx("p", {
				className: "hint",
				children: "From the answer on, each of its requests has the new rights."
			})
		]
	});
}
const TITLES = {
	make: "Make a certificate",
	put: "Register a certificate",
	edit: "What it may do"
};
const BUTTONS = {
	make: "Make it",
	put: "Register it",
	edit: "Save"
};

export { CertificateDialog };