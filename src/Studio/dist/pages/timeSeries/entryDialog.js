import { writeEntry } from "../../api/timeSeries.js";
import { announce } from "../../app/announcer.js";
import { FormDialog } from "../../ui/dialog.js";
import { useTask } from "../../ui/useTask.js";
import { kindOf, readTime, readValues, timeText } from "./seriesModel.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/timeSeries/entryDialog.tsx
/** Writes an entry; without a name that of a new series. */
function EntryDialog({ database, id, name: known, onClose, onDone }) {
	const [name, setName] = useState(known ?? "");
	const [time, setTime] = useState(() => timeText(Math.floor(Date.now() / 1e3) * 1e3));
	const [text, setText] = useState("");
	const [tag, setTag] = useState("");
	const task = useTask();
	const { isIncremental } = kindOf(name);
	const at = readTime(time);
	const values = readValues(text);
	const refusal = name.trim() === "" ? "Give the series a name." : at === void 0 ? "The time is none: write it as 2026-01-31 10:00:00Z." : values === void 0 ? "An entry has 1 to 32 numbers, with commas between them." : void 0;
	const write = () => task.run(async () => {
		const entry = {
			at: at ?? 0,
			tag: tag === "" ? null : tag,
			values: values ?? []
		};
		await writeEntry(database, id, name.trim(), entry, isIncremental);
		announce("The entry is written.");
		onDone();
		onClose();
	});
	return /* @__PURE__ */ jsxs(FormDialog, {
		title: known === void 0 ? "New series" : `New entry of ${known}`,
		task,
		refusal,
		action: "Write it",
		onSubmit: write,
		onClose,
		children: [
			known === void 0 && /* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Name; one that begins with INC: adds up what is written at one time" }), /* @__PURE__ */ jsx("input", {
					value: name,
					spellCheck: false,
					autoComplete: "off",
					onChange: (event) => setName(event.target.value)
				})]
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Time, in UTC" }), /* @__PURE__ */ jsx("input", {
					className: "mono",
					value: time,
					"aria-invalid": at === void 0,
					autoComplete: "off",
					onChange: (event) => setTime(event.target.value)
				})]
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Values" }), /* @__PURE__ */ jsx("input", {
					className: "mono",
					value: text,
					placeholder: "71, 72.5",
					"aria-invalid": text !== "" && values === void 0,
					autoComplete: "off",
					onChange: (event) => setText(event.target.value)
				})]
			}),
			!isIncremental && /* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Tag, if it has one: often the id of a document" }), /* @__PURE__ */ jsx("input", {
					className: "mono",
					value: tag,
					autoComplete: "off",
					onChange: (event) => setTag(event.target.value)
				})]
			}),
			/* @__PURE__ */ jsx("p", {
				className: "muted",
				children: isIncremental ? "The values are added to those at this time." : "An entry at this time, if there is one, is replaced."
			})
		]
	});
}

export { EntryDialog };