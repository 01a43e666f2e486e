import { extensionOf, type MediaType } from "./media-types.ts";

/** With the ids before it, a key stays far below R2's 1,024 bytes, and a saved file below a file system's 255. */
const MAX_STORED_BYTES = 200;
/** More than any file system allows (255 UTF-16 units): only a name that nobody's file has is cut. */
const MAX_RECORDED_BYTES = 1024;
const MAX_EXTENSION_BYTES = 16;

/**
 * What has no place in a name: control characters, and the invisible ones that make `gpj.exe` read as `exe.jpg`
 * (bidirectional marks, embeddings, isolates; line and paragraph separators; the byte order mark).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const encoder = new TextEncoder();

/** An extension as stored names have: short, of letters and digits. */
const EXTENSION = /\.[A-Za-z0-9]{1,15}$/;

/**
 * A file name that is safe in a key, a URL path and a file system: without dots and spaces before it, with the type's extension
 * where it has none (a script's `blob`), at most 200 bytes of UTF-8. Unicode, spaces and quotes stay as they are; a URL
 * percent-encodes them.
 */
export function toSafeFileName(uploadedName: string, type: MediaType): string {
  const bare = toCleanFileName(uploadedName, type)
    .replace(/^[\s.]+/, "")
    .trimEnd();
  const name = bare === "" ? "file" : bare;
  return shorten(EXTENSION.test(name) ? name : `${name.replace(/[\s.]+$/, "")}.${extensionOf(type)}`, MAX_STORED_BYTES);
}

/**
 * The name as uploaded, of which only a path and control and bidirectional characters go. Cut at 1,024 bytes of UTF-8. A name of
 * which nothing is left is made up.
 */
export function toCleanFileName(uploadedName: string, type: MediaType): string {
  const baseName = uploadedName.slice(Math.max(uploadedName.lastIndexOf("/"), uploadedName.lastIndexOf("\\")) + 1);
  const visible = baseName.replace(LONE_SURROGATE, "").replace(INVISIBLE, "");
  // The two that name a folder are a path.
  const isNothing = visible === "" || visible === "." || visible === "..";
  return isNothing ? `file.${extensionOf(type)}` : shorten(visible, MAX_RECORDED_BYTES);
}

/** Cuts before the extension, between characters as people see them. */
function shorten(name: string, maxBytes: number): string {
  if (byteLength(name) <= maxBytes) return name;
  const dot = name.lastIndexOf(".");
  const hasExtension = dot > 0 && byteLength(name.slice(dot)) <= MAX_EXTENSION_BYTES;
  const extension = hasExtension ? name.slice(dot) : "";
  const stem = hasExtension ? name.slice(0, dot) : name;
  return cut(stem, maxBytes - byteLength(extension)).trimEnd() + extension;
}

function cut(text: string, maxBytes: number): string {
  // Nothing behind that many code units can be kept; the code point there tells whether the last character goes on.
  const start = text.slice(0, maxBytes + 2);
  const characters = Array.from(new Intl.Segmenter().segment(start), ({ segment }) => segment);
  // One letter can bear more accents than fit: then it is cut between code points.
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
