import { useEffect, useRef } from "../vendor/react.js";

// src/app/earlyKeys.ts
/**
* What is typed between the wish for the palette and the moment in which it can take keys: its part may be on its way.
* It would be lost, or be taken for shortcuts of the page.
*/
function useEarlyKeys(isWanted) {
	const typed = useRef("");
	useEffect(() => {
		typed.current = "";
		if (!isWanted) return;
		const onKey = (event) => {
			if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && !document.activeElement?.closest(".palette")) {
				event.preventDefault();
				event.stopPropagation();
				typed.current += event.key;
			}
		};
		window.addEventListener("keydown", onKey, true);
		return () => window.removeEventListener("keydown", onKey, true);
	}, [isWanted]);
	return typed;
}

export { useEarlyKeys };