import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/documents/columnDialog.tsx
/** Which properties are columns. */
function ColumnDialog({ fields, chosen, onClose, onChoose }) {
	const [names, setNames] = useState(chosen);
	const known = [...fields.map((field) => field.name), ...chosen.filter((name) => !fields.some((field) => field.name === name))];
	return /* @__PURE__ */ jsxs(Dialog, {
		title: "Columns",
		isOpen: true,
		onClose,
		children: [/* @__PURE__ */ jsxs("div", {
			className: "scroll short",
			children: [known.map((name) => {
				const field = fields.find((one) => one.name === name);
				return /* @__PURE__ */ jsxs("label", {
					className: "check",
					children: [
						/* @__PURE__ */ jsx("input", {
							type: "checkbox",
							checked: names.includes(name),
							onChange: (event) => setNames(event.target.checked ? [...names, name] : names.filter((one) => one !== name))
						}),
						/* @__PURE__ */ jsx("span", {
							className: "grow",
							children: name
						}),
						field && /* @__PURE__ */ jsx("span", {
							className: "muted",
							children: `${field.kinds} · ${Math.round(field.share * 100)}%`
						})
					]
				}, name);
			}), known.length === 0 && /* @__PURE__ */ jsx("p", {
				className: "muted",
				children: "No document was seen that has properties."
			})]
		}), /* @__PURE__ */ jsxs("div", {
			className: "row end",
			children: [/* @__PURE__ */ jsx(Button, {
				kind: "quiet",
				onClick: () => {
					onChoose(void 0);
					onClose();
				},
				children: "Choose for me"
			}), /* @__PURE__ */ jsx(Button, {
				kind: "primary",
				onClick: () => {
					onChoose(names);
					onClose();
				},
				children: "Show"
			})]
		})]
	});
}

export { ColumnDialog };