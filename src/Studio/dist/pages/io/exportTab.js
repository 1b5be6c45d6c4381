import { databasePath, getJson, sendForFile } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { Button } from "../../ui/button.js";
import { formatBytes } from "../../ui/format.js";
import { saveFile } from "../../ui/saveFile.js";
import { ErrorBox } from "../../ui/states.js";
import { useTask } from "../../ui/useTask.js";
import { DumpFields } from "./dumpFields.js";
import { WHOLE_DUMP, dumpOptions } from "./ioModel.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/io/exportTab.tsx
/** Writes the database as a dump, which the browser saves. */
function ExportTab({ database, onStarted }) {
	const [choice, setChoice] = useState(WHOLE_DUMP);
	const [isZstd, setZstd] = useState(false);
	const { isBusy, error, run, dismiss } = useTask();
	const refusal = choice.types.size === 0 ? "Choose what is exported." : void 0;
	const start = () => run(async () => {
		const { Id } = await getJson(databasePath(database, "operations/next-operation-id"));
		onStarted(Id, "Export");
		const file = await sendForFile("POST", databasePath(database, "smuggler/export"), {
			query: { operationId: Id },
			body: {
				...dumpOptions(choice),
				CompressionAlgorithm: isZstd ? "Zstd" : "Gzip"
			}
		});
		const day = (/* @__PURE__ */ new Date()).toISOString().slice(0, 10);
		saveFile(file, `${database}-${day}.ravendbdump`);
		announce(`The dump is ready: ${formatBytes(file.size)}.`);
	});
	return /* @__PURE__ */ jsx("section", {
		className: "scroll",
		"aria-label": "Export",
		tabIndex: 0,
		children: /* @__PURE__ */ jsxs("form", {
			className: "form",
			onSubmit: (event) => {
				event.preventDefault();
				if (refusal === void 0 && !isBusy) start();
			},
			children: [
				/* @__PURE__ */ jsx("p", {
					className: "hint",
					children: "One moment of the database as a file, without secrets. The browser holds it until it is whole: for many gigabytes use “raven export”."
				}),
				/* @__PURE__ */ jsx(DumpFields, {
					choice,
					onChange: setChoice
				}),
				/* @__PURE__ */ jsxs("label", {
					className: "field",
					children: [/* @__PURE__ */ jsx("span", { children: "Packed by" }), /* @__PURE__ */ jsxs("select", {
						value: isZstd ? "Zstd" : "Gzip",
						onChange: (event) => setZstd(event.target.value === "Zstd"),
						children: [/* @__PURE__ */ jsx("option", {
							value: "Gzip",
							children: "gzip: every program reads it"
						}), /* @__PURE__ */ jsx("option", {
							value: "Zstd",
							children: "zstd: smaller and faster"
						})]
					})]
				}),
				error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
					title: "The export has failed",
					error,
					onDismiss: dismiss
				}),
				/* @__PURE__ */ jsx("div", {
					className: "row",
					children: /* @__PURE__ */ jsx(Button, {
						kind: "primary",
						type: "submit",
						icon: "download",
						isBusy,
						refusal,
						children: "Export it"
					})
				})
			]
		})
	});
}

export { ExportTab };