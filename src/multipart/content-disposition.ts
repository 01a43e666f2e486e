export interface ContentDisposition {
  readonly type: string;
  readonly name?: string;
  readonly filename?: string;
}

const TYPE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+/;
/** Sticky, and each character matches only one alternative, so it is linear in the header's length. */
const PARAMETER = /[ \t]*;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"|([^;"]*))/y;

/**
 * Reads a part's `Content-Disposition` (RFC 7578, 4.2) in the forms that browsers, libraries and command-line clients really send: Unicode
 * as UTF-8 or percent-encoded, unescaped backslashes of Windows paths, and a quote as `\"` or `%22` (WHATWG HTML, multipart/form-data).
 * Undefined if the header is malformed. The first of repeated parameters counts.
 */
export function parseContentDisposition(value: string): ContentDisposition | undefined {
  const type = TYPE.exec(value)?.[0];
  if (type === undefined) return undefined;
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = type.length;
  let end = type.length;
  for (let match = PARAMETER.exec(value); match !== null; match = PARAMETER.exec(value)) {
    end = PARAMETER.lastIndex;
    const name = match[1]?.toLowerCase() ?? "";
    const parameter = match[2] === undefined ? (match[3] ?? "").trim() : match[2].replace(/\\(["\\])/g, "$1");
    if (!parameters.has(name)) parameters.set(name, parameter);
  }
  if (!/^[ \t]*;?[ \t]*$/.test(value.slice(end, end + 16)) || value.length > end + 16) return undefined;
  const name = parameters.get("name");
  const plain = parameters.get("filename");
  const filename = decodeExtended(parameters.get("filename*")) ?? decodeWhole(plain) ?? unescapeWhatwg(plain);
  return {
    type: type.toLowerCase(),
    ...(name === undefined ? {} : { name: unescapeWhatwg(name) }),
    ...(filename === undefined ? {} : { filename }),
  };
}

/** Only unreserved characters and escapes (RFC 3986, 2.1 and 2.3). */
const WHOLLY_ENCODED = /^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+$/;
/** `encodeURIComponent` leaves these characters, Python's `quote` encodes them. */
const encodeWhole = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Decodes a plain file name that is percent-encoded as a whole, as aiohttp sends it: exactly the necessary characters are encoded, in
 * capitals. A browser sends such a name only for a file with this very name; both are shown decoded. Undefined for any other name, and if
 * the result would have a path or a control character.
 */
function decodeWhole(text: string | undefined): string | undefined {
  if (text === undefined || !text.includes("%") || !WHOLLY_ENCODED.test(text)) return undefined;
  try {
    const decoded = decodeURIComponent(text);
    return encodeWhole(decoded) === text && !/[/\\\p{Cc}]/u.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** Browsers encode these three characters only. */
function unescapeWhatwg<Text extends string | undefined>(text: Text): Text {
  return text?.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) as Text;
}

/** `unescape` would keep such an escape, and decode `%u202e` as one character. */
const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;

/** RFC 8187, 3.2: `charset'language'percent-encoded`. Undefined if it is malformed. */
function decodeExtended(value: string | undefined): string | undefined {
  const match = /^([\w-]+)'[\w-]*'(.*)$/s.exec(value ?? "");
  const charset = match?.[1]?.toLowerCase();
  const encoded = match?.[2];
  if (encoded === undefined) return undefined;
  try {
    if (charset === "utf-8") return decodeURIComponent(encoded);
    return charset === "iso-8859-1" && !BROKEN_ESCAPE.test(encoded) ? unescape(encoded) : undefined;
  } catch {
    return undefined;
  }
}
