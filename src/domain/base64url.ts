/** Base64 for URLs, without padding (RFC 4648, 5). */

/** @param text each character is a byte */
export function toBase64Url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param encoded letters of base64url alone, as a regular expression has found them */
export function bytesOfBase64Url(encoded: string): Uint8Array<ArrayBuffer> {
  const text = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
