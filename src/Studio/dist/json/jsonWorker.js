import { JsonError } from "./jsonError.js";
import { JSON_JOBS } from "./jsonJobs.js";

// src/json/jsonWorker.ts
const pieces = /* @__PURE__ */ new Map();
self.onmessage = ({ data }) => {
	if ("piece" in data) {
		const texts = pieces.get(data.id) ?? [];
		pieces.set(data.id, texts);
		texts[data.at] = [...texts[data.at] ?? [], data.piece];
		return;
	}
	const texts = pieces.get(data.id) ?? [];
	pieces.delete(data.id);
	const values = data.values.map((value, at) => texts[at]?.join("") ?? value);
	const answer = (rest) => self.postMessage({
		id: data.id,
		...rest
	});
	try {
		answer({ value: JSON_JOBS[data.job](...values) });
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		if (error instanceof JsonError) {
			const { reason, offset, line, column } = error;
			answer({ error: {
				message,
				place: {
					reason,
					offset,
					line,
					column
				}
			} });
		} else answer({ error: { message } });
	}
};
