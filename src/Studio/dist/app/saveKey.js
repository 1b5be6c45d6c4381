import { useEffect, useRef } from "../vendor/react.js";

// src/app/saveKey.ts
/** Has Ctrl+S do something on the whole page, not only in its editor; while a dialog is open it does nothing. */
function useSaveKey(save) {
	const latest = useRef(save);
	latest.current = save;
	useEffect(() => {
		const onKey = (event) => {
			if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s" && !event.defaultPrevented) {
				event.preventDefault();
				if (document.querySelector("[role=dialog]") === null) latest.current();
			}
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, []);
}

export { useSaveKey };