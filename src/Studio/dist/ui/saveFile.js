// src/ui/saveFile.ts
/** Has the browser save a text as a file. */
function saveFile(name, type, text) {
	const url = URL.createObjectURL(new Blob([text], { type }));
	const link = document.createElement("a");
	link.href = url;
	link.download = name.replace(/[^\p{L}\p{N}_.-]+/gu, "-");
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 6e4);
}

export { saveFile };