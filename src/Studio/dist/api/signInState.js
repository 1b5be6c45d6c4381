// src/api/signInState.ts
let isWanted = false;
const listeners = /* @__PURE__ */ new Set();
/** Whether a person should sign in. */
function isSignInWanted() {
	return isWanted;
}
/** Calls a function when that changes; gives what ends it. */
function watchSignIn(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
/** Asks a person to sign in, or not any more. */
function wantSignIn(wanted) {
	if (wanted !== isWanted) {
		isWanted = wanted;
		for (const listener of listeners) listener();
	}
}

export { isSignInWanted, wantSignIn, watchSignIn };