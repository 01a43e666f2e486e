import { extensionOf, type MediaType } from "./media-types.ts";
import { otherThan, VISIBILITIES, type Visibility } from "./visibility.ts";

/**
 * URL paths, which are also the R2 keys of public files (RES-2): `uploads/<account>/<version>-<name>` and
 * `uploads/<account>/thumbs/<version>-thumb.jpg`. The version is the upload's id until its bytes are replaced (`versionOf`). R2 has the
 * objects of a private file below `private/` (`storedKey`), which no URL reaches. An image's preview is at `previews/<account>/<version>`:
 * the CDN does not serve it, and it does not count as storage. Its URL also has the file's name (`previews/<account>/<version>-<name>`), so
 * that the file's key follows from the URL.
 */

const FILE_KEY = /^uploads\/([0-9a-z]{26})\/(([0-9a-z]{26})(?:\.[0-9a-z]{8})?)-[^/]+$/;
const THUMBNAIL_KEY = /^uploads\/([0-9a-z]{26})\/thumbs\/(([0-9a-z]{26})(?:\.[0-9a-z]{8})?)-thumb\.jpg$/;

/** R2's limit. */
export const MAX_KEY_BYTES = 1024;

export interface ObjectKeyParts {
  readonly kind: "file" | "thumbnail";
  readonly accountId: string;
  readonly uploadId: string;
  /** `versionOf` the key. */
  readonly version: string;
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

/** @param version `versionOf` the key */
export function fileKey(accountId: string, version: string, fileName: string): string {
  return `${accountPrefix(accountId)}${version}-${fileName}`;
}

/**
 * The version of new bytes of an upload.
 * @param replacementId the id under which the new bytes are stored
 */
export function newVersion(uploadId: string, replacementId: string): string {
  return `${uploadId}.${replacementId.slice(-VERSION_CHARACTERS)}`;
}

const VERSION_CHARACTERS = 8;

/**
 * The part of a file's key before its name: the upload's id and, if its bytes were replaced, characters that are new with each replacement.
 * The keys of thumbnail, preview and variants have the same version, so that nothing made of earlier bytes is served for newer bytes.
 */
export function versionOf(objectKey: string): string {
  const version = parseObjectKey(objectKey)?.version;
  if (version === undefined) throw new Error("This is not the key of a file");
  return version;
}

/** The name in a file's key: `toSafeFileName` of the name as uploaded. */
export function fileNameOf(objectKey: string): string {
  return objectKey.slice(objectKey.indexOf("-") + 1);
}

/** Whether the bytes of the upload were replaced. */
export function isReplaced(objectKey: string): boolean {
  return versionOf(objectKey).includes(".");
}

/**
 * The object with the present path of an upload whose bytes were replaced. The upload's earlier URLs redirect to that path.
 */
export function movedKey(accountId: string, uploadId: string): string {
  return `${movedPrefix(accountId)}${uploadId}`;
}

export const MOVED_PREFIX = "moved/";

export function movedPrefix(accountId: string): string {
  return `${MOVED_PREFIX}${accountId}/`;
}

/** @param version `versionOf` the file's key */
export function thumbnailKey(accountId: string, version: string): string {
  return `${accountPrefix(accountId)}thumbs/${version}-thumb.jpg`;
}

/** No path of a URL begins with it. */
const PRIVATE_PREFIX = "private/";

/** The R2 key of a file or thumbnail that has this path in URLs. Every access to R2 by an upload's key goes through here. */
export function keyAs(path: string, visibility: Visibility): string {
  return visibility === "private" ? PRIVATE_PREFIX + path : path;
}

/** The R2 key of an upload's file. */
export function storedKey({
  objectKey,
  visibility,
}: {
  readonly objectKey: string;
  readonly visibility: Visibility;
}): string {
  return keyAs(objectKey, visibility);
}

/**
 * The R2 keys of an upload whose visibility may have changed since its row was read, the likeliest first. The file is copied before it leaves
 * its key, so it is at one of them.
 */
export function likelyKeys(path: string, visibility: Visibility): string[] {
  return [keyAs(path, visibility), keyAs(path, otherThan(visibility))];
}

/** The R2 keys that a path may have. An upload's deletion removes both, so that it need not know which of them exists. */
export function everyKey(path: string): string[] {
  return VISIBILITIES.map((visibility) => keyAs(path, visibility));
}

/** The path in URLs of an R2 key, and the visibility of its object. */
export function toPath(key: string): { readonly path: string; readonly visibility: Visibility } {
  return key.startsWith(PRIVATE_PREFIX)
    ? { path: key.slice(PRIVATE_PREFIX.length), visibility: "private" }
    : { path: key, visibility: "public" };
}

/** All previews are below this prefix. */
export const PREVIEWS_PREFIX = "previews/";

/** An account's previews are below this prefix. */
export function previewPrefix(accountId: string): string {
  return `${PREVIEWS_PREFIX}${accountId}/`;
}

/** @param version `versionOf` the file's key */
export function previewKey(accountId: string, version: string): string {
  return `${previewPrefix(accountId)}${version}`;
}

/** All variants are below this prefix: `variants/<account>/<version>/<name>`. They do not count as storage. */
export const VARIANTS_PREFIX = "variants/";

export function accountVariantsPrefix(accountId: string): string {
  return `${VARIANTS_PREFIX}${accountId}/`;
}

/**
 * The variants of a file are below this prefix, also those of a private file, so that one call lists all of them.
 * @param version `versionOf` the file's key
 */
export function variantsPrefix(accountId: string, version: string): string {
  return `${accountVariantsPrefix(accountId)}${version}/`;
}

/** Variants of a file while it has this visibility. A request for a public file finds no variant of a private one, and vice versa. */
export function visibleVariantsPrefix(accountId: string, version: string, visibility: Visibility): string {
  return variantsPrefix(accountId, version) + keyAs("", visibility);
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

/** Every object of an account is below one of these prefixes, but its marker and its rules for files. */
export function accountPrefixes(accountId: string): string[] {
  return [
    ...everyKey(accountPrefix(accountId)),
    previewPrefix(accountId),
    accountVariantsPrefix(accountId),
    movedPrefix(accountId),
  ];
}

/** The parts of a key; undefined if it is not a key of this service. */
export function parseObjectKey(key: string): ObjectKeyParts | undefined {
  const thumbnail = THUMBNAIL_KEY.exec(key);
  const match = thumbnail ?? FILE_KEY.exec(key);
  const [, accountId, version, uploadId] = match ?? [];
  if (accountId === undefined || version === undefined || uploadId === undefined) return undefined;
  return { kind: thumbnail === null ? "file" : "thumbnail", accountId, uploadId, version };
}

/** A key that is the same in a URL, as most keys are. */
const PLAIN_KEY = /^[\w./~-]*$/;

/** The direct URL of a stored object: each segment percent-encoded once (RFC 3986, 2.1). */
export function objectUrl(cdnUrl: string, key: string): string {
  if (PLAIN_KEY.test(key)) return `${cdnUrl}/${key}`;
  return `${cdnUrl}/${key.split("/").map(encodeSegment).join("/")}`;
}

/** `encodeURIComponent` does not escape !'()*. A quote or bracket would end a URL in CSS, Markdown or HTML too early. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** With this limit, a key with both ids stays below R2's 1,024 bytes, and the name of a saved file below a file system's 255. */
const MAX_STORED_BYTES = 200;
/** This is more than any file system allows (255 UTF-16 units), so names of real files are never cut. */
const MAX_RECORDED_BYTES = 1024;
const MAX_EXTENSION_BYTES = 16;

/**
 * Characters that are removed: control characters, and invisible characters that make `gpj.exe` read as `exe.jpg`
 * (bidirectional marks, embeddings, isolates; line and paragraph separators; the byte order mark).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The extension of a stored name, which is short and has only letters and digits. */
const EXTENSION = /\.[A-Za-z0-9]{1,15}$/;

/**
 * A file name that is safe in a key, a URL path and a file system (RES-3): no leading dots or spaces, with the type's
 * extension if it has none, at most 200 bytes of UTF-8. Unicode, spaces and quotes stay; a URL percent-encodes them.
 */
export function toSafeFileName(uploadedName: string, type: MediaType): string {
  const name = toBareName(uploadedName);
  return shorten(EXTENSION.test(name) ? name : `${name.replace(/[\s.]+$/, "")}.${extensionOf(type)}`, MAX_STORED_BYTES);
}

/** A name that is safe in a file system, at most 200 bytes of UTF-8. It may have any extension or none. */
export function toSavedName(name: string): string {
  return shorten(toBareName(name), MAX_STORED_BYTES);
}

function toBareName(name: string): string {
  // Cut first, because the patterns take long on a long name.
  const bare = shorten(toVisibleName(name), MAX_RECORDED_BYTES)
    .replace(/^[\s.]+/, "")
    .trimEnd();
  return bare === "" ? "file" : bare;
}

/**
 * The name as uploaded, without a path, control or bidirectional characters (RES-3). It is cut at 1,024 bytes of UTF-8.
 * If nothing is left, the name is `file` with an extension.
 */
export function toCleanFileName(uploadedName: string, type: MediaType): string {
  const visible = toVisibleName(uploadedName);
  // `.` and `..` are paths of folders, not names.
  const isNothing = visible === "" || visible === "." || visible === "..";
  return isNothing ? `file.${extensionOf(type)}` : shorten(visible, MAX_RECORDED_BYTES);
}

function toVisibleName(name: string): string {
  const baseName = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  return baseName.replace(LONE_SURROGATE, "").replace(INVISIBLE, "");
}

/** Cuts before the extension and never within a visible character. */
function shorten(name: string, maxBytes: number): string {
  // A UTF-16 code unit takes three bytes of UTF-8 at most.
  if (name.length * 3 <= maxBytes || byteLength(name) <= maxBytes) return name;
  const dot = name.lastIndexOf(".");
  const hasExtension = dot > 0 && byteLength(name.slice(dot)) <= MAX_EXTENSION_BYTES;
  const extension = hasExtension ? name.slice(dot) : "";
  const stem = hasExtension ? name.slice(0, dot) : name;
  return cut(stem, maxBytes - byteLength(extension)).trimEnd() + extension;
}

function cut(text: string, maxBytes: number): string {
  // The two code units beyond `maxBytes` show whether the last character continues.
  const start = text.slice(0, maxBytes + 2);
  const characters = Array.from(new Intl.Segmenter().segment(start), ({ segment }) => segment);
  // One letter can have more accents than fit. It is then cut between code points.
  return take(characters, maxBytes) || take(start, maxBytes);
}

function take(pieces: Iterable<string>, maxBytes: number): string {
  let kept = "";
  let bytes = 0;
  for (const piece of pieces) {
    bytes += byteLength(piece);
    if (bytes > maxBytes) break;
    kept += piece;
  }
  return kept;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
