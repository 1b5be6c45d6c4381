import { useState } from "../vendor/react.js";

// src/ui/useTask.ts
/** The task of a form or a dialog: what runs, and what became of it. */
function useTask() {
	const [isBusy, setBusy] = useState(false);
	const [error, setError] = useState();
	const run = async (action) => {
		setBusy(true);
		setError(void 0);
		try {
			await action();
		} catch (failure) {
			setError(failure);
		} finally {
			setBusy(false);
		}
	};
	return {
		isBusy,
		error,
		run,
		dismiss: () => setError(void 0)
	};
}

export { useTask };