import { Button } from "../ui/button.js";
import { Empty, ErrorBox } from "../ui/states.js";
import { Link } from "./link.js";
import { placeUrl } from "./places.js";
import { jsx, jsxs } from "../vendor/react.js";

// src/app/failedPage.tsx
/** A page that failed: never a blank one. A page whose files are gone was replaced by another version of the server. */
function FailedPage({ error }) {
	const isReplaced = error instanceof TypeError && /module|import/i.test(error.message);
	return /* @__PURE__ */ jsxs("main", {
		className: "content padded",
		children: [/* @__PURE__ */ jsx(ErrorBox, {
			title: isReplaced ? "This page is of another version of the server" : "This page failed",
			error
		}), /* @__PURE__ */ jsx(Button, {
			icon: "refresh",
			kind: "primary",
			onClick: () => window.location.reload(),
			children: "Load it again"
		})]
	});
}
/** No such page. */
function MissingPage() {
	return /* @__PURE__ */ jsx(Empty, {
		icon: "search",
		title: "There is no such page",
		action: /* @__PURE__ */ jsx(Link, {
			href: placeUrl("/"),
			children: "All databases"
		}),
		children: "The address may be mistyped, or of another version."
	});
}

export { FailedPage, MissingPage };