import { ServerError, refusalOf, urlOf } from "./http.js";
import { logRequest } from "./requestLog.js";
import { wantSignIn } from "./signInState.js";

// src/api/upload.ts
/**
* Sends a file, or a form that has one, and tells how many bytes have gone, which fetch does not. The file is read as
* it goes, never as a whole.
* @throws ServerError The answer is a 4xx or 5xx, or there is none.
* @throws DOMException The signal ended it.
*/
function upload(method, path, body, options, onProgress) {
	const url = urlOf(path, options.query);
	const { signal } = options;
	const done = logRequest(method, url, void 0);
	return new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		const end = () => request.abort();
		const settle = (status, length) => {
			signal?.removeEventListener("abort", end);
			done(status, length);
		};
		request.open(method, url);
		for (const [name, value] of Object.entries(options.headers ?? {})) request.setRequestHeader(name, value);
		request.upload.onprogress = (event) => onProgress(event.loaded, event.total);
		request.onload = () => {
			const { status, responseText: text } = request;
			settle(status, text.length);
			if (status === 401) wantSignIn(true);
			if (status >= 200 && status < 300) resolve({
				status,
				text,
				headers: new Headers()
			});
			else reject(refusalOf(method, url, status, text, request.getResponseHeader("Retry-After")));
		};
		request.onerror = () => {
			settle(0, 0);
			reject(new ServerError(method, url, 0, ""));
		};
		request.onabort = () => {
			settle(0, 0);
			reject(new DOMException("The upload was cancelled.", "AbortError"));
		};
		signal?.addEventListener("abort", end);
		request.send(body);
	});
}

export { upload };