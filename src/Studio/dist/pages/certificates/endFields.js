import { jsx, jsxs, useId } from "../../vendor/react.js";

// src/pages/certificates/endFields.tsx
/** When an identity ends. */
function EndFields({ value, wrong, canBeEndless, onChange }) {
	const hint = useId();
	return /* @__PURE__ */ jsxs("div", {
		className: "fields",
		children: [/* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [/* @__PURE__ */ jsx("span", { children: "Ends" }), /* @__PURE__ */ jsxs("select", {
				value: value.choice,
				onChange: (event) => onChange({
					...value,
					choice: event.target.value
				}),
				children: [
					/* @__PURE__ */ jsx("option", {
						value: "30",
						children: "in 30 days"
					}),
					/* @__PURE__ */ jsx("option", {
						value: "90",
						children: "in 90 days"
					}),
					/* @__PURE__ */ jsx("option", {
						value: "365",
						children: "in a year"
					}),
					/* @__PURE__ */ jsx("option", {
						value: "1826",
						children: "in five years"
					}),
					/* @__PURE__ */ jsx("option", {
						value: "day",
						children: "on a day"
					}),
					canBeEndless && /* @__PURE__ */ jsx("option", {
						value: "never",
						children: "never"
					})
				]
			})]
		}), value.choice === "day" && /* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [
				/* @__PURE__ */ jsx("span", { children: "Day (UTC)" }),
				/* @__PURE__ */ jsx("input", {
					value: value.day,
					placeholder: "2030-01-31",
					"aria-invalid": wrong !== void 0,
					"aria-describedby": hint,
					onChange: (event) => onChange({
						...value,
						day: event.target.value
					})
				}),
				/* @__PURE__ */ jsx("span", {
					id: hint,
					className: wrong ? "hint bad" : "hint",
					children: wrong ?? "It ends as this day begins."
				})
			]
		})]
	});
}

export { EndFields };