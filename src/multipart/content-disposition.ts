export interface ContentDisposition {
  /** Lower case. */
  readonly type: string;
  readonly name?: string;
  readonly filename?: string;
}

const TYPE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+/;
/** Sticky, and every character is taken by one alternative only: linear in the header's length. */
const PARAMETER = /[ \t]*;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"|([^;"]*))/y;

/**
 * The `Content-Disposition` of a part (RFC 7578, 4.2), as browsers, libraries and command-line clients really send it: unicode
 * as UTF-8 or percent-encoded, backslashes of Windows paths unescaped, and a quote as `\"` or `%22` (WHATWG HTML, multipart/form-data).
 * Undefined where the header is malformed. The first of repeated parameters counts.
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

/** Nothing but unreserved characters and escapes (RFC 3986, 2.1 and 2.3). */
const WHOLLY_ENCODED = /^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+$/;
/** `encodeURIComponent` leaves these alone, Python's `quote` does not. */
const encodeWhole = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * A plain file name that is percent-encoded through and through, as aiohttp writes it: every character that has to be is, in
 * capitals, and no other. A browser would send such a name for a file that is really called so; both are shown decoded. Undefined
 * for any other name, and where a path or a control character would come of it.
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

/** Browsers encode these three, and nothing else. */
function unescapeWhatwg<Text extends string | undefined>(text: Text): Text {
  return text?.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) as Text;
}

/** `unescape` would keep it, and take `%u202e` for one character. */
const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;

/** RFC 8187, 3.2: `charset'language'percent-encoded`. Undefined where it is malformed. */
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
