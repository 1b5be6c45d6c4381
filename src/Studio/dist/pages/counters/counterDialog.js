import { changeCounter } from "../../api/counters.js";
import { announce } from "../../app/announcer.js";
import { FormDialog } from "../../ui/dialog.js";
import { useTask } from "../../ui/useTask.js";
import { addWhole, groupDigits, readWhole } from "./wholeNumber.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/counters/counterDialog.tsx
/** Adds to a counter or sets it; without one it makes one. */
function CounterDialog({ database, id, counter, onClose, onDone }) {
	const [name, setName] = useState("");
	const [text, setText] = useState(counter ? "1" : "0");
	const [type, setType] = useState("Increment");
	const task = useTask();
	const amount = readWhole(text);
	const sum = counter && amount !== void 0 && type === "Increment" ? addWhole(counter.value, amount) : amount;
	const refusal = !counter && name.trim() === "" ? "Give it a name." : amount === void 0 ? "The number is whole and has at most 64 bits." : sum === void 0 ? "The counter would have more than 64 bits." : void 0;
	const change = () => task.run(async () => {
		const of = counter?.name ?? name.trim();
		await changeCounter(database, id, {
			type,
			name: of,
			amount: amount ?? "0"
		});
		announce(`${of} is changed.`);
		onDone();
		onClose();
	});
	return /* @__PURE__ */ jsxs(FormDialog, {
		title: counter ? `Change ${counter.name}` : "New counter",
		task,
		refusal,
		action: counter ? type === "Increment" ? "Add" : "Set" : "Make it",
		onSubmit: change,
		onClose,
		children: [
			counter ? /* @__PURE__ */ jsxs("fieldset", {
				className: "choices",
				children: [
					/* @__PURE__ */ jsx("legend", {
						className: "offscreen",
						children: "How"
					}),
					/* @__PURE__ */ jsxs("label", {
						className: "check",
						children: [/* @__PURE__ */ jsx("input", {
							type: "radio",
							name: "how",
							checked: type === "Increment",
							onChange: () => setType("Increment")
						}), /* @__PURE__ */ jsx("span", { children: "Add to it: what others add meanwhile stays" })]
					}),
					/* @__PURE__ */ jsxs("label", {
						className: "check",
						children: [/* @__PURE__ */ jsx("input", {
							type: "radio",
							name: "how",
							checked: type === "Put",
							onChange: () => setType("Put")
						}), /* @__PURE__ */ jsx("span", { children: "Set it: what others add meanwhile is lost" })]
					})
				]
			}) : /* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Name" }), /* @__PURE__ */ jsx("input", {
					value: name,
					spellCheck: false,
					autoComplete: "off",
					onChange: (event) => setName(event.target.value)
				})]
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: counter && type === "Increment" ? "How much; with a minus it is taken away" : "Value" }), /* @__PURE__ */ jsx("input", {
					className: "mono",
					inputMode: "numeric",
					value: text,
					"aria-invalid": amount === void 0,
					autoComplete: "off",
					onChange: (event) => setText(event.target.value)
				})]
			}),
			counter && sum !== void 0 && /* @__PURE__ */ jsxs("p", {
				className: "muted",
				children: [
					groupDigits(counter.value),
					" becomes ",
					groupDigits(sum),
					"."
				]
			})
		]
	});
}

export { CounterDialog };