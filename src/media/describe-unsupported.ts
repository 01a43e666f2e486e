/** Beginnings of well-known files that are not stored, in Latin-1 at the given offset. */
const SIGNATURES: readonly (readonly [type: string, offset: number, begin: string])[] = [
  ["application/pdf", 0, "%PDF-"],
  ["application/zip", 0, "PK\u0003\u0004"],
  ["application/gzip", 0, "\u001f\u008b"],
  ["application/x-7z-compressed", 0, "7z\u00bc\u00af"],
  ["application/vnd.rar", 0, "Rar!\u001a\u0007"],
  ["application/x-executable", 0, "\u007fELF"],
  ["application/vnd.microsoft.portable-executable", 0, "MZ"],
  ["image/tiff", 0, "II*\u0000"],
  ["image/tiff", 0, "MM\u0000*"],
  ["image/bmp", 0, "BM"],
  ["image/vnd.adobe.photoshop", 0, "8BPS"],
  ["image/x-icon", 0, "\u0000\u0000\u0001\u0000"],
  ["image/jxl", 0, "\u00ff\u000a"],
  ["image/jxl", 4, "JXL "],
  ["image/jp2", 4, "jP  "],
  ["image/avif", 4, "ftypavif"],
  ["image/avif", 4, "ftypavis"],
  ["image/heic", 4, "ftyphei"],
  ["image/heic", 4, "ftyphev"],
  ["image/heif", 4, "ftypmif1"],
  ["image/heif", 4, "ftypmsf1"],
  ["audio/mp4", 4, "ftypM4A"],
  ["audio/mp4", 4, "ftypM4B"],
  ["video/3gpp", 4, "ftyp3g"],
  ["video/mp4", 4, "ftyp"],
  ["audio/wav", 8, "WAVE"],
  ["audio/mpeg", 0, "ID3"],
  ["audio/mpeg", 0, "\u00ff\u00fb"],
  ["audio/flac", 0, "fLaC"],
  ["application/ogg", 0, "OggS"],
  ["video/matroska", 0, "\u001a\u0045\u00df\u00a3"],
  ["video/x-flv", 0, "FLV"],
  ["video/mpeg", 0, "\u0000\u0000\u0001\u00ba"],
  ["video/x-ms-asf", 0, "\u0030\u0026\u00b2\u0075"],
];
const TEXT_BYTES = 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what text does not have
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** The apparent media type of an unsupported file, for the client. @param head its first bytes, at least one */
export function describeUnsupported(head: Uint8Array): string {
  const start = String.fromCharCode(...head.subarray(0, 32));
  const known = SIGNATURES.find(([, offset, begin]) => start.startsWith(begin, offset));
  return known?.[0] ?? describeText(head.subarray(0, TEXT_BYTES)) ?? "application/octet-stream";
}

function describeText(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes).trimStart();
  if (/^--[^\n]*\r?\ncontent-disposition: *form-data/i.test(text)) return "multipart/form-data";
  // The last character may be cut off.
  if (CONTROL.test(text) || (text.length > 3 ? text.slice(0, -3) : text).includes("\ufffd")) return undefined;
  if (text.startsWith("<") && /<svg[\s/>]/i.test(text)) return "image/svg+xml";
  if (/^<(!doctype html|html|head|body)[\s>]/i.test(text)) return "text/html";
  if (text.startsWith("<?xml")) return "application/xml";
  return /^[{[]/.test(text) ? "application/json" : "text/plain";
}
