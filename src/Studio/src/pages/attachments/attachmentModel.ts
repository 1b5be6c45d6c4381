/** How an attachment can be looked at without running anything of it. */
export type PreviewKind = "image" | "text";

/** A larger image is only saved. */
export const IMAGE_MAX = 20 * 1024 * 1024;
/** So much of the beginning of a text is shown. */
export const TEXT_SHOWN = 64 * 1024;

const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;
const TEXTS = /^(text\/.*|application\/(.*\+)?(json|xml|javascript|x-ndjson|yaml|sql|toml))$/;

/** What can be shown of a content; undefined if it can only be saved. */
export function previewKind(contentType: string, size: number): PreviewKind | undefined {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  if (IMAGES.test(type)) {
    return size <= IMAGE_MAX ? "image" : undefined;
  }
  return TEXTS.test(type) ? "text" : undefined;
}

/** Reads the beginning of a text; a character that the cut has halved is left out. */
export function readStart(bytes: Uint8Array, isCut: boolean): string {
  // "stream" keeps back what is not whole at the end, and the decoder is thrown away with it.
  return new TextDecoder("utf-8", { fatal: false }).decode(bytes, { stream: isCut });
}
