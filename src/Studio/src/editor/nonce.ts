/** The nonce that the server wrote into the page: styles that are made at run time carry it. */
export function pageNonce(): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
  return nonce.startsWith("{{") ? "" : nonce;
}
