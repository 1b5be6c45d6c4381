// src/editor/nonce.ts
/** The nonce that the server wrote into the page: styles that are made at run time carry it. */
function pageNonce() {
	const nonce = document.querySelector("meta[name=\"csp-nonce\"]")?.content ?? "";
	return nonce.startsWith("{{") ? "" : nonce;
}

export { pageNonce };