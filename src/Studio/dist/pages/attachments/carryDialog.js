import { carryAttachment } from "../../api/parts.js";
import { announce } from "../../app/announcer.js";
import { FormDialog } from "../../ui/dialog.js";
import { useTask } from "../../ui/useTask.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/attachments/carryDialog.tsx
/** Gives an attachment another name or document, or makes a copy of it there; neither moves its bytes. */
function CarryDialog({ database, id, name, how, onClose, onDone }) {
	const [to, setTo] = useState({
		id,
		name
	});
	const task = useTask();
	const isSame = to.name === name && to.id.trim().toLowerCase() === id.toLowerCase();
	const refusal = to.name === "" || to.id.trim() === "" ? "Give it a document and a name." : isSame ? "It is there already: change the name or the document." : void 0;
	const carry = () => task.run(async () => {
		await carryAttachment(database, how, {
			id,
			name
		}, {
			id: to.id.trim(),
			name: to.name
		});
		announce(how === "COPY" ? `${name} is copied.` : `${name} is moved.`);
		onDone();
		onClose();
	});
	return /* @__PURE__ */ jsxs(FormDialog, {
		title: how === "COPY" ? `Copy ${name}` : `Rename or move ${name}`,
		task,
		refusal,
		action: how === "COPY" ? "Copy it" : "Move it",
		onSubmit: carry,
		onClose,
		children: [/* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [/* @__PURE__ */ jsx("span", { children: "Name" }), /* @__PURE__ */ jsx("input", {
				value: to.name,
				spellCheck: false,
				autoComplete: "off",
				onChange: (event) => setTo({
					...to,
					name: event.target.value
				})
			})]
		}), /* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [/* @__PURE__ */ jsx("span", { children: "Document" }), /* @__PURE__ */ jsx("input", {
				className: "mono",
				value: to.id,
				spellCheck: false,
				autoComplete: "off",
				onChange: (event) => setTo({
					...to,
					id: event.target.value
				})
			})]
		})]
	});
}

export { CarryDialog };