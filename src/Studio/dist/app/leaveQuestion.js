import { useEffect } from "../vendor/react.js";

// src/app/leaveQuestion.ts
/** Has the browser ask before the page is left, while something on it would be lost. */
function useLeaveQuestion(isNeeded) {
	useEffect(() => {
		const ask = (event) => event.preventDefault();
		if (isNeeded) window.addEventListener("beforeunload", ask);
		return () => window.removeEventListener("beforeunload", ask);
	}, [isNeeded]);
}

export { useLeaveQuestion };