import { putAttachment } from "../../api/parts.js";
import { announce } from "../../app/announcer.js";
import { queryClient } from "../../app/queryClient.js";
import { UploadQueue } from "./uploads.js";

// src/pages/attachments/uploadsOf.ts
const queues = /* @__PURE__ */ new Map();
/** The files that go to a document. They are kept beside the pages: to look at another one ends nothing. */
function uploadsOf(database, id) {
	const key = `${database}\n${id}`;
	let queue = queues.get(key);
	if (!queue) {
		queue = new UploadQueue((name, file, version, signal, onProgress) => putAttachment(database, id, name, file, version, signal, onProgress), (name) => {
			announce(`${name} is stored.`);
			queryClient.invalidateQueries({ queryKey: [
				"parts",
				database,
				id
			] });
		});
		queues.set(key, queue);
	}
	return queue;
}
window.addEventListener("beforeunload", (event) => {
	if ([...queues.values()].some((queue) => queue.isBusy)) event.preventDefault();
});

export { uploadsOf };