// src/app/storage.ts
const PREFIX = "raven-studio.";
/** Reads a text that this browser keeps. */
function readLocal(key) {
	try {
		return localStorage.getItem(PREFIX + key) ?? void 0;
	} catch {
		return;
	}
}
/** Keeps a text, or forgets it. Gives whether it is kept. */
function writeLocal(key, text) {
	try {
		if (text === void 0) localStorage.removeItem(PREFIX + key);
		else localStorage.setItem(PREFIX + key, text);
		return true;
	} catch {
		return false;
	}
}
/** The keys with a prefix that this browser keeps. */
function localKeys(prefix) {
	try {
		return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + prefix)).map((key) => key.slice(13));
	} catch {
		return [];
	}
}
/** Forgets all that this browser keeps for the Studio. */
function forgetLocal() {
	try {
		for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
	} catch {}
}

export { forgetLocal, localKeys, readLocal, writeLocal };