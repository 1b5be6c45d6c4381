/** Has the browser write what a URL answers to the disk as it comes: nothing of it is kept in the page. */
export function saveUrl(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = safeFileName(name);
  link.click();
}

/** Has the browser save a file that the page holds. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  saveUrl(url, name);
  // The browser has taken it by then; what is not let go stays in memory until the page is left.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name that any disk takes: letters, digits, and _ . - between them. */
export function safeFileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]+/gu, "-").slice(0, 120) || "file";
}

/** The bytes of a file in base64. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}
