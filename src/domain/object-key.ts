/**
 * R2 keys, which are also URL paths (RES-2): `uploads/<account>/<upload>-<name>` and
 * `uploads/<account>/thumbs/<upload>-thumb.jpg`. An image's preview is at `previews/<account>/<upload>`: the CDN does
 * not serve it, and it does not count as storage. Its URL also has the file's name
 * (`previews/<account>/<upload>-<name>`), so that the file's key follows from the URL.
 */

const FILE_KEY = /^uploads\/([0-9a-z]{26})\/([0-9a-z]{26})-[^/]+$/;
const THUMBNAIL_KEY = /^uploads\/([0-9a-z]{26})\/thumbs\/([0-9a-z]{26})-thumb\.jpg$/;

/** R2's limit. */
export const MAX_KEY_BYTES = 1024;

export interface ObjectKeyParts {
  readonly kind: "file" | "thumbnail";
  readonly accountId: string;
  readonly uploadId: string;
}

const FILES_PREFIX = "uploads/";

/** All files and thumbnails of an account are below this prefix; its previews are below `previewPrefix`. */
export function accountPrefix(accountId: string): string {
  return `${FILES_PREFIX}${accountId}/`;
}

/** Each account has an empty object below this prefix, so that R2 knows accounts that have stored nothing. */
export const MARKER_PREFIX = "accounts/";

/** The marker stays if the database is restored to a time before the account existed (`meter/reconcile/reconciler.ts`). */
export function accountMarker(accountId: string): string {
  return MARKER_PREFIX + accountId;
}

export function fileKey(accountId: string, uploadId: string, fileName: string): string {
  return `${accountPrefix(accountId)}${uploadId}-${fileName}`;
}

export function thumbnailKey(accountId: string, uploadId: string): string {
  return `${accountPrefix(accountId)}thumbs/${uploadId}-thumb.jpg`;
}

/** All previews are below this prefix. */
export const PREVIEWS_PREFIX = "previews/";

/** An account's previews are below this prefix. */
export function previewPrefix(accountId: string): string {
  return `${PREVIEWS_PREFIX}${accountId}/`;
}

export function previewKey(accountId: string, uploadId: string): string {
  return `${previewPrefix(accountId)}${uploadId}`;
}

/** All variants are below this prefix: `variants/<account>/<upload>/<name>`. They do not count as storage. */
export const VARIANTS_PREFIX = "variants/";

export function accountVariantsPrefix(accountId: string): string {
  return `${VARIANTS_PREFIX}${accountId}/`;
}

/** An upload's variants are below this prefix. */
export function variantsPrefix(accountId: string, uploadId: string): string {
  return `${accountVariantsPrefix(accountId)}${uploadId}/`;
}

/**
 * The path of an image's preview at the API, without its leading slash. Its token signs this path.
 * @param key the file's key
 */
export function previewPath(key: string): string {
  return PREVIEWS_PREFIX + key.slice(FILES_PREFIX.length);
}

/**
 * The key of the file that a preview's path names.
 * @param file the path's last segment
 */
export function previewedKey(accountId: string, file: string): string {
  return accountPrefix(accountId) + file;
}

/** The parts of a key; undefined if it is not a key of this service. */
export function parseObjectKey(key: string): ObjectKeyParts | undefined {
  const thumbnail = THUMBNAIL_KEY.exec(key);
  const match = thumbnail ?? FILE_KEY.exec(key);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { kind: thumbnail === null ? "file" : "thumbnail", accountId: match[1], uploadId: match[2] };
}

/** The direct URL of a stored object: each segment percent-encoded once (RFC 3986, 2.1). */
export function objectUrl(cdnUrl: string, key: string): string {
  return `${cdnUrl}/${key.split("/").map(encodeSegment).join("/")}`;
}

/** `encodeURIComponent` does not escape !'()*. A quote or bracket would end a URL in CSS, Markdown or HTML too early. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
