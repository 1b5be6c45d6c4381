import { useRouter } from "../vendor/router.js";
import { jsx } from "../vendor/react.js";

// src/app/link.tsx
/** A link to a place of the Studio: a click goes there without loading the page, any other click is the browser's. */
function Link({ href, onClick, ...rest }) {
	const router = useRouter();
	return /* @__PURE__ */ jsx("a", {
		href,
		onClick: (event) => {
			onClick?.(event);
			if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented) {
				event.preventDefault();
				router.history.push(href);
			}
		},
		...rest
	});
}

export { Link };