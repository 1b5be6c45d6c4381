import { send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { FormDialog } from "../../ui/dialog.js";
import { useTask } from "../../ui/useTask.js";
import { clearanceRefusal, endOf, readList, readRightRows, rightRows } from "./certificateModel.js";
import { EndFields } from "./endFields.js";
import { RightsFields } from "./rightsFields.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/certificates/apiKeyDialogs.tsx
/** Makes a key, or changes what one may do. */
function ApiKeyDialog({ apiKey, who, onClose, onDone }) {
	const [draft, setDraft] = useState({
		name: apiKey?.Name ?? "",
		clearance: apiKey?.SecurityClearance ?? "ValidUser",
		rows: rightRows(apiKey?.Permissions ?? {})
	});
	const [isMonitoring, setMonitoring] = useState(apiKey?.Scopes?.includes("monitoring") ?? false);
	const [addresses, setAddresses] = useState((apiKey?.AllowedAddresses ?? []).join("\n"));
	const [ends, setEnds] = useState({
		choice: apiKey ? apiKey.ExpiresAt ? "day" : "never" : "90",
		day: apiKey?.ExpiresAt?.slice(0, 10) ?? ""
	});
	const task = useTask();
	const { permissions, wrong } = readRightRows(draft.rows);
	const end = endOf(ends.choice, ends.day, Date.now());
	const isSameDay = apiKey?.ExpiresAt && ends.choice === "day" && ends.day === apiKey.ExpiresAt.slice(0, 10);
	const refusal = clearanceRefusal(who, draft.clearance) ?? (draft.name.trim() === "" ? "Give it a name first." : void 0) ?? wrong ?? (isSameDay ? void 0 : end.wrong);
	const save = () => task.run(async () => {
		const answer = await send(apiKey ? "PUT" : "POST", "/admin/api-keys", {
			query: { id: apiKey?.Id },
			body: {
				Name: draft.name.trim(),
				SecurityClearance: draft.clearance,
				Permissions: draft.clearance === "ValidUser" ? permissions : {},
				Scopes: isMonitoring ? ["monitoring"] : [],
				AllowedAddresses: readList(addresses),
				ExpiresAt: isSameDay ? apiKey.ExpiresAt : end.at
			}
		});
		announce(`The key ${draft.name.trim()} is ${apiKey ? "changed" : "made"}.`);
		onDone(apiKey ? void 0 : JSON.parse(answer.text).Key);
	});
	return /* @__PURE__ */ jsxs(FormDialog, {
		title: apiKey ? "What the key may do" : "Make an API key",
		task,
		refusal,
		action: apiKey ? "Save" : "Make it",
		onSubmit: save,
		onClose,
		children: [
			/* @__PURE__ */ jsx(RightsFields, {
				draft,
				who,
				isKey: true,
				onChange: setDraft
			}),
			/* @__PURE__ */ jsx(EndFields, {
				value: ends,
				wrong: isSameDay ? void 0 : end.wrong,
				canBeEndless: true,
				onChange: setEnds
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Counts only from (addresses and networks; empty: from everywhere)" }), /* @__PURE__ */ jsx("textarea", {
					rows: 2,
					value: addresses,
					spellCheck: false,
					placeholder: "10.0.0.0/8",
					onChange: (event) => setAddresses(event.target.value)
				})]
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "check",
				children: [/* @__PURE__ */ jsx("input", {
					type: "checkbox",
					checked: isMonitoring,
					onChange: (event) => setMonitoring(event.target.checked)
				}), /* @__PURE__ */ jsx("span", { children: "reads metrics of the server (the scope “monitoring”)" })]
			})
		]
	});
}
/** Gives a key another secret. */
function RotateDialog({ apiKey, onClose, onDone }) {
	const [grace, setGrace] = useState("3600");
	const task = useTask();
	const rotate = () => task.run(async () => {
		const answer = await send("POST", "/admin/api-keys/rotate", { query: {
			id: apiKey.Id,
			graceSec: grace
		} });
		announce(`The key ${apiKey.Name} is rotated.`);
		onDone(JSON.parse(answer.text).Key);
	});
	return /* @__PURE__ */ jsxs(FormDialog, {
		title: `Rotate ${apiKey.Name}`,
		task,
		action: "Rotate it",
		kind: "danger",
		onSubmit: rotate,
		onClose,
		children: [/* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx("strong", { children: "The key gets another secret, which is shown once. What uses the one before stops when it ends." }) }), /* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [/* @__PURE__ */ jsx("span", { children: "The one before counts on for" }), /* @__PURE__ */ jsxs("select", {
				value: grace,
				onChange: (event) => setGrace(event.target.value),
				children: [
					/* @__PURE__ */ jsx("option", {
						value: "0",
						children: "no time: it ends at once"
					}),
					/* @__PURE__ */ jsx("option", {
						value: "300",
						children: "5 minutes"
					}),
					/* @__PURE__ */ jsx("option", {
						value: "3600",
						children: "an hour"
					}),
					/* @__PURE__ */ jsx("option", {
						value: "86400",
						children: "a day"
					})
				]
			})]
		})]
	});
}

export { ApiKeyDialog, RotateDialog };