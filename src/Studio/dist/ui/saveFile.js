// src/ui/saveFile.ts
/** Has the browser write what a URL answers to the disk as it comes: nothing of it is kept in the page. */
function saveUrl(url, name) {
	const link = document.createElement("a");
	link.href = url;
	link.download = safeFileName(name);
	link.click();
}
/** Has the browser save a file that the page holds. */
function saveFile(content, name) {
	const url = URL.createObjectURL(content);
	saveUrl(url, name);
	setTimeout(() => URL.revokeObjectURL(url), 6e4);
}
/** A name that any disk takes: letters, digits, and _ . - between them. */
function safeFileName(name) {
	return name.replace(/[^\p{L}\p{N}_.-]+/gu, "-").slice(0, 120) || "file";
}
/** The bytes of a file in base64. */
async function base64Of(file) {
	const bytes = new Uint8Array(await file.arrayBuffer());
	let text = "";
	for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
	return btoa(text);
}

export { base64Of, safeFileName, saveFile, saveUrl };