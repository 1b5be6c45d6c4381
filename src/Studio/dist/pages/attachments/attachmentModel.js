// src/pages/attachments/attachmentModel.ts
/** A larger image is only saved. */
const IMAGE_MAX = 20971520;
/** So much of the beginning of a text is shown. */
const TEXT_SHOWN = 65536;
const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;
const TEXTS = /^(text\/.*|application\/(.*\+)?(json|xml|javascript|x-ndjson|yaml|sql|toml))$/;
/** What can be shown of a content; undefined if it can only be saved. */
function previewKind(contentType, size) {
	const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
	if (IMAGES.test(type)) return size <= 20971520 ? "image" : void 0;
	return TEXTS.test(type) ? "text" : void 0;
}
/** Reads the beginning of a text; a character that the cut has halved is left out. */
function readStart(bytes, isCut) {
	return new TextDecoder("utf-8", { fatal: false }).decode(bytes, { stream: isCut });
}

export { IMAGE_MAX, TEXT_SHOWN, previewKind, readStart };