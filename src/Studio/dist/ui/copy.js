import { announce } from "../app/announcer.js";
import { Button } from "./button.js";
import { jsx, useEffect, useState } from "../vendor/react.js";

// src/ui/copy.tsx
/** Copies a text; where the browser gives no clipboard (a page over http from afar), selects it to be copied by hand. */
async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
		announce("Copied.");
		return true;
	} catch {
		const area = document.createElement("textarea");
		area.value = text;
		area.className = "offscreen";
		document.body.append(area);
		area.select();
		const isCopied = document.execCommand("copy");
		area.remove();
		announce(isCopied ? "Copied." : "The browser does not let this page copy.");
		return isCopied;
	}
}
/** A button that copies a text, and says that it did. */
function CopyButton({ text, children = "Copy" }) {
	const [isCopied, setCopied] = useState(false);
	useEffect(() => {
		const timer = isCopied ? setTimeout(() => setCopied(false), 1500) : void 0;
		return () => clearTimeout(timer);
	}, [isCopied]);
	return /* @__PURE__ */ jsx(Button, {
		kind: "quiet",
		icon: isCopied ? "check" : "copy",
		onClick: () => {
			copyText(typeof text === "string" ? text : text()).then(setCopied);
		},
		children: isCopied ? "Copied" : children
	});
}

export { CopyButton, copyText };