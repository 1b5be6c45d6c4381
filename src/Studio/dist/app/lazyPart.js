import { showError } from "./toasts.js";
import { lazy } from "../vendor/react.js";

// src/app/lazyPart.ts
/**
* A part of a page that is loaded when it is first needed. If it cannot be, as the server was replaced by another
* version, that is said, and the page with what was typed on it stays.
*/
function lazyPart(load) {
	return lazy(() => load().then((part) => ({ default: part }), (error) => {
		showError("A part of this page is of another version of the server: save what you have, then load it again", error);
		return { default: Nothing };
	}));
}
function Nothing() {
	return null;
}

export { lazyPart };