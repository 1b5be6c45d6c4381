import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { formatCount } from "../../ui/format.js";
import { Fragment, jsx, jsxs } from "../../vendor/react.js";

// src/pages/query/indexChip.tsx
/** What would answer the query, said before it runs; an index that would be made for it is asked for. */
function IndexChip({ check, onRunStale, onRunWithoutIndex }) {
	if (!check) return null;
	if (check.Error) return /* @__PURE__ */ jsx(Chip, {
		tone: "bad",
		title: check.Error.Message,
		children: placedMessage(check.Error)
	});
	const index = check.Index;
	if (!index) return null;
	if (index.Kind === "Documents") return /* @__PURE__ */ jsx(Chip, {
		tone: "good",
		children: "needs no index"
	});
	if (!index.Exists) return /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx(Chip, {
		tone: "info",
		...index.Reason ? { title: index.Reason } : {},
		children: `would make ${index.Name ?? "an index"}`
	}), /* @__PURE__ */ jsx(Button, {
		kind: "quiet",
		onClick: onRunWithoutIndex,
		children: "Run without making it"
	})] });
	return index.IsStale ? /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx(Chip, {
		tone: "stale",
		children: `${index.Name} is behind${index.Behind ? ` by ${formatCount(index.Behind)}` : ""}`
	}), /* @__PURE__ */ jsx(Button, {
		kind: "quiet",
		onClick: onRunStale,
		children: "Run without waiting"
	})] }) : /* @__PURE__ */ jsx(Chip, {
		tone: "good",
		children: index.Name ?? ""
	});
}
/** An error with its place, which the server's own words mostly begin with. */
function placedMessage({ Line, Column, Message }) {
	const place = `line ${Line}, column ${Column}`;
	return Message.startsWith(place) ? Message : `${place}: ${Message}`;
}

export { IndexChip, placedMessage };