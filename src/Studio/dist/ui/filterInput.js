import { jsx } from "../vendor/react.js";

// src/ui/filterInput.tsx
/** The field that narrows the list of a page; the key / goes to it. */
function FilterInput({ name = "Filter by name", hint = "Filter", initial, onChange }) {
	return /* @__PURE__ */ jsx("input", {
		className: "filter",
		"data-filter": true,
		type: "search",
		"aria-label": name,
		placeholder: hint,
		spellCheck: false,
		defaultValue: initial,
		onChange: (event) => onChange(event.target.value)
	});
}

export { FilterInput };