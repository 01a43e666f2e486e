const SUPPORTED: Readonly<Record<string, string>> = {
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/webp": "WebP",
  "image/gif": "GIF",
  "video/mp4": "MP4",
  "video/webm": "WebM",
  "video/quicktime": "MOV",
  "video/x-msvideo": "AVI",
};

/** Names of types that the service recognises but does not store. */
const DETECTED: Readonly<Record<string, string>> = {
  "image/avif": "an AVIF image",
  "image/heic": "a HEIC image",
  "image/heif": "a HEIF image",
  "image/svg+xml": "an SVG image",
  "image/tiff": "a TIFF image",
  "image/bmp": "a BMP image",
  "image/vnd.adobe.photoshop": "a Photoshop image",
  "image/x-icon": "an icon",
  "image/jxl": "a JPEG XL image",
  "image/jp2": "a JPEG 2000 image",
  "video/3gpp": "a 3GP video",
  "video/matroska": "a Matroska video",
  "video/x-flv": "a Flash video",
  "video/mpeg": "an MPEG video",
  "video/x-ms-asf": "a Windows Media video",
  "audio/mp4": "an M4A audio file",
  "audio/wav": "a WAV audio file",
  "audio/mpeg": "an MP3 audio file",
  "audio/flac": "a FLAC audio file",
  "application/ogg": "an Ogg file",
  "application/pdf": "a PDF file",
  "application/zip": "a ZIP archive",
  "application/gzip": "a gzip archive",
  "application/vnd.rar": "a RAR archive",
  "application/x-7z-compressed": "a 7z archive",
  "application/x-executable": "a program",
  "application/vnd.microsoft.portable-executable": "a program",
  "application/json": "a JSON file",
  "application/xml": "an XML file",
  "text/html": "a web page",
  "text/plain": "a text file",
};

/**
 * Explains why the service refused a file: its type and the supported types (415), or the fault of its content (400).
 * @param details the error's `details`
 */
export function describeRefusal(message: string, details: Readonly<Record<string, unknown>>): string {
  const { detected, supported, file } = details;
  if (typeof file === "string") return file;
  if (typeof detected !== "string" || !Array.isArray(supported)) return message;
  const names = `Supported: ${supported.map((type) => SUPPORTED[type] ?? type).join(", ")}.`;
  const supportedName = SUPPORTED[detected];
  if (supportedName !== undefined) return `This ${supportedName} file is damaged or an unusual variant. ${names}`;
  const isMedia = /^(image|video)\//.test(detected);
  return `${isMedia ? "" : `${message}. `}This is ${DETECTED[detected] ?? "an unknown type of file"}. ${names}`;
}
