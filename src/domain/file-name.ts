import { extensionOf, type MediaType } from "./media-types.ts";

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

const encoder = new TextEncoder();

/** The extension of a stored name, which is short and has only letters and digits. */
const EXTENSION = /\.[A-Za-z0-9]{1,15}$/;

/**
 * A file name that is safe in a key, a URL path and a file system (RES-3): no leading dots or spaces, with the type's
 * extension if it has none, at most 200 bytes of UTF-8. Unicode, spaces and quotes stay; a URL percent-encodes them.
 */
export function toSafeFileName(uploadedName: string, type: MediaType): string {
  const bare = toCleanFileName(uploadedName, type)
    .replace(/^[\s.]+/, "")
    .trimEnd();
  const name = bare === "" ? "file" : bare;
  return shorten(EXTENSION.test(name) ? name : `${name.replace(/[\s.]+$/, "")}.${extensionOf(type)}`, MAX_STORED_BYTES);
}

/**
 * The name as uploaded, without a path, control or bidirectional characters (RES-3). It is cut at 1,024 bytes of UTF-8.
 * If nothing is left, the name is `file` with an extension.
 */
export function toCleanFileName(uploadedName: string, type: MediaType): string {
  const baseName = uploadedName.slice(Math.max(uploadedName.lastIndexOf("/"), uploadedName.lastIndexOf("\\")) + 1);
  const visible = baseName.replace(LONE_SURROGATE, "").replace(INVISIBLE, "");
  // `.` and `..` are paths of folders, not names.
  const isNothing = visible === "" || visible === "." || visible === "..";
  return isNothing ? `file.${extensionOf(type)}` : shorten(visible, MAX_RECORDED_BYTES);
}

/** Cuts before the extension and never within a visible character. */
function shorten(name: string, maxBytes: number): string {
  if (byteLength(name) <= maxBytes) return name;
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
  return encoder.encode(text).length;
}
