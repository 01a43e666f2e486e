import { extname } from "node:path";

/** Room for an id below the 255 bytes of a file system. */
const MAX_NAME_BYTES = 180;
const MAX_EXTENSION_BYTES = 16;
/** Windows refuses these characters; a slash is a folder everywhere. Marks of direction make a name read as another. */
const UNSAFE = /[<>:"/\\|?*\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Windows opens devices under these names, with any extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/** A name that every file system stores as it is: Windows, macOS and Linux. It is no path, and not empty. */
export function safeName(name: string): string {
  const clean = name.replace(LONE_SURROGATE, "_").replace(UNSAFE, "_").normalize("NFC");
  // Windows removes dots and spaces at the end.
  const named = shorten(clean).replace(/[. ]+$/, "_") || "_";
  return DEVICE.test(named) ? `_${named}` : named;
}

/** Two names are one file on some file systems if their keys are equal: macOS and Windows ignore case, and macOS the form of accents. */
export function nameKey(name: string): string {
  return name.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFC");
}

/** `photo.jpg` with a mark: `photo (mark).jpg`. */
export function marked(name: string, mark: string): string {
  const extension = extensionOf(name);
  return `${name.slice(0, name.length - extension.length)} (${mark})${extension}`;
}

function extensionOf(name: string): string {
  const extension = extname(name);
  return Buffer.byteLength(extension) <= MAX_EXTENSION_BYTES ? extension : "";
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const extension = extensionOf(name);
  const most = MAX_NAME_BYTES - Buffer.byteLength(extension);
  let stem = "";
  let bytes = 0;
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    stem += character;
  }
  return stem + extension;
}
