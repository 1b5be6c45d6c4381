import { ServerError, urlOf } from "./http.js";
import { logRequest } from "./requestLog.js";
import { wantSignIn } from "./signInState.js";

// src/api/upload.ts
/**
* Sends a form with a file, however large: the browser reads it off the disk. Only XMLHttpRequest tells how much is
* sent.
* @throws ServerError The answer is a 4xx or 5xx, or there is none.
* @throws DOMException The signal ended it.
*/
function upload(path, query, form, onSent, signal) {
	const url = urlOf(path, query);
	const done = logRequest("POST", url, void 0);
	return new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open("POST", url);
		request.upload.addEventListener("progress", (event) => onSent(event.loaded, event.total));
		request.addEventListener("load", () => {
			done(request.status, request.responseText.length);
			if (request.status === 401) wantSignIn(true);
			if (request.status >= 200 && request.status < 300) resolve({
				status: request.status,
				text: request.responseText,
				headers: new Headers()
			});
			else reject(new ServerError("POST", url, request.status, request.responseText));
		});
		request.addEventListener("error", () => {
			done(0, 0);
			reject(new ServerError("POST", url, 0, ""));
		});
		request.addEventListener("abort", () => {
			done(0, 0);
			reject(new DOMException("It was ended.", "AbortError"));
		});
		signal.addEventListener("abort", () => request.abort());
		request.send(form);
	});
}

export { upload };