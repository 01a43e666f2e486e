/** Base64 for URLs, without padding (RFC 4648, 5). Each character of the text is a byte. */

export function toBase64Url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
