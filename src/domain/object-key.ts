/**
 * The shapes of R2 keys, which are also URL paths (specification, Upload result):
 * `uploads/<account>/<upload>-<name>` and `uploads/<account>/thumbs/<upload>-thumb.jpg`. An image's preview,
 * `previews/<account>/<upload>`, is no file of the account's: the CDN does not serve it, and it is not counted as storage. Its address
 * has the file's name, too, `previews/<account>/<upload>-<name>`, so that the file is found without a look around.
 */

const FILE_KEY = /^uploads\/([0-9a-z]{26})\/([0-9a-z]{26})-[^/]+$/;
const THUMBNAIL_KEY = /^uploads\/([0-9a-z]{26})\/thumbs\/([0-9a-z]{26})-thumb\.jpg$/;

/** R2 refuses longer keys. */
export const MAX_KEY_BYTES = 1024;

export interface ObjectKeyParts {
  readonly kind: "file" | "thumbnail";
  readonly accountId: string;
  readonly uploadId: string;
}

const FILES_PREFIX = "uploads/";

/** Everything an account stores is below this prefix; what is made of it for its own eyes is below `previewPrefix`. */
export function accountPrefix(accountId: string): string {
  return `${FILES_PREFIX}${accountId}/`;
}

/** Below this prefix there is an empty object for each account: what R2 has of one that has stored nothing yet. */
export const MARKER_PREFIX = "accounts/";

/** It outlives a database that is restored to a moment before the account was opened (`meter/reconciler.ts`). */
export function accountMarker(accountId: string): string {
  return MARKER_PREFIX + accountId;
}

export function fileKey(accountId: string, uploadId: string, fileName: string): string {
  return `${accountPrefix(accountId)}${uploadId}-${fileName}`;
}

export function thumbnailKey(accountId: string, uploadId: string): string {
  return `${accountPrefix(accountId)}thumbs/${uploadId}-thumb.jpg`;
}

/** Below this prefix there are the previews of all accounts. */
export const PREVIEWS_PREFIX = "previews/";

/** All of an account's previews are below this prefix. */
export function previewPrefix(accountId: string): string {
  return `${PREVIEWS_PREFIX}${accountId}/`;
}

/** In R2. */
export function previewKey(accountId: string, uploadId: string): string {
  return `${previewPrefix(accountId)}${uploadId}`;
}

/** The path of an image's preview at the API's address, without its first slash: what its token is signed over. @param key of the file */
export function previewPath(key: string): string {
  return PREVIEWS_PREFIX + key.slice(FILES_PREFIX.length);
}

/** The other way round: what `file` is the preview of. @param file the path's last segment */
export function previewedKey(accountId: string, file: string): string {
  return accountPrefix(accountId) + file;
}

/** What a key says; undefined where it is not a key of ours. */
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

/** `encodeURIComponent` leaves !'()* alone; a quote or a bracket would end a URL in CSS, Markdown or HTML too early. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
