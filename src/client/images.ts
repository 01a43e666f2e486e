import type { SignOptions } from "./sign.ts";

export { type Placeholder, placeholderStyle, thumbHashToDataURL } from "./placeholder.ts";
export type { SignOptions } from "./sign.ts";
export { type Picture, type PictureSizing, picture, type Sizing, type SrcsetSizing, src, srcset } from "./sizes.ts";

/** Helpers for the sizes and formats of an image's URL (docs/using/variants.md). They send no requests and need no client. */

/**
 * Signs the URL of a size or format. Its values are then exact. Signing needs no request and works in Node and Workers. Never send the key
 * to a browser.
 * @param key a signing key (`POST /signing-keys`)
 * @throws TypeError if the key has another form
 */
export async function signUrl(url: string, key: string): Promise<string> {
  return (await signing()).signUrl(url, key);
}

/**
 * Signs the URL of a private file, its thumbnail or a variant, so that it opens for some time. One signature is valid for all three. Signing
 * needs no request and works in Node, Workers and browsers. Never send the key to a stranger's browser.
 * @param key a signing key (`POST /signing-keys`)
 * @throws TypeError if the key has another form, or the URL is not a file's
 */
export async function sign(url: string, key: string, options?: SignOptions): Promise<string> {
  return (await signing()).sign(url, key, options);
}

/** A page that signs nothing does not load it. */
const signing = () => import("./sign.ts");

/** Signs each URL of a `srcset`. */
export async function signSrcset(set: string, key: string): Promise<string> {
  return (await signing()).signSrcset(set, key);
}
