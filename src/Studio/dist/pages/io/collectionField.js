import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/io/collectionField.tsx
/** The collection that imported documents get. */
function CollectionField({ value, onChange }) {
	return /* @__PURE__ */ jsxs("label", {
		className: "field",
		children: [/* @__PURE__ */ jsx("span", { children: "Collection (empty: as @metadata.@collection says)" }), /* @__PURE__ */ jsx("input", {
			value,
			spellCheck: false,
			onChange: (event) => onChange(event.target.value)
		})]
	});
}

export { CollectionField };