import { DUMP_TYPES } from "./ioModel.js";
import { Fragment, jsx, jsxs } from "../../vendor/react.js";

// src/pages/io/dumpFields.tsx
/** What is taken of a dump, or put into one. */
function DumpFields({ choice, onChange }) {
	const set = (change) => onChange({
		...choice,
		...change
	});
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		/* @__PURE__ */ jsxs("fieldset", { children: [
			/* @__PURE__ */ jsx("legend", { children: "What" }),
			/* @__PURE__ */ jsx("div", {
				className: "fields",
				children: DUMP_TYPES.map(([name, word]) => /* @__PURE__ */ jsxs("label", {
					className: "check",
					children: [/* @__PURE__ */ jsx("input", {
						type: "checkbox",
						checked: choice.types.has(name),
						onChange: (event) => {
							const types = new Set(choice.types);
							if (event.target.checked) types.add(name);
							else types.delete(name);
							set({ types });
						}
					}), /* @__PURE__ */ jsx("span", { children: word })]
				}, name))
			}),
			/* @__PURE__ */ jsx("p", {
				className: "hint",
				children: "Settings, indexes and subscriptions are those of an administrator of the database."
			})
		] }),
		/* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [/* @__PURE__ */ jsx("span", { children: "Collections (with commas between them; empty: all)" }), /* @__PURE__ */ jsx("input", {
				value: choice.collections,
				spellCheck: false,
				onChange: (event) => set({ collections: event.target.value })
			})]
		}),
		/* @__PURE__ */ jsxs("div", {
			className: "row",
			children: [/* @__PURE__ */ jsxs("label", {
				className: "check",
				children: [/* @__PURE__ */ jsx("input", {
					type: "checkbox",
					checked: choice.includesExpired,
					onChange: (event) => set({ includesExpired: event.target.checked })
				}), /* @__PURE__ */ jsx("span", { children: "with documents that have expired" })]
			}), /* @__PURE__ */ jsxs("label", {
				className: "check",
				children: [/* @__PURE__ */ jsx("input", {
					type: "checkbox",
					checked: choice.includesArchived,
					onChange: (event) => set({ includesArchived: event.target.checked })
				}), /* @__PURE__ */ jsx("span", { children: "with archived ones" })]
			})]
		}),
		/* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [/* @__PURE__ */ jsx("span", { children: "Script for each document (JavaScript; `this` is the document, throw 'skip' leaves it out)" }), /* @__PURE__ */ jsx("textarea", {
				className: "mono",
				rows: 3,
				value: choice.script,
				spellCheck: false,
				placeholder: "this.Source = \"import\";",
				onChange: (event) => set({ script: event.target.value })
			})]
		})
	] });
}

export { DumpFields };