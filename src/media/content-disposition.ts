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
 * The `Content-Disposition` of a part (RFC 7578, 4.2), as browsers and command-line clients really send it: unicode as
 * UTF-8, backslashes of Windows paths unescaped, and a quote as `\"` or `%22` (WHATWG HTML, multipart/form-data).
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
  const filename = decodeExtended(parameters.get("filename*")) ?? unescapeWhatwg(parameters.get("filename"));
  return {
    type: type.toLowerCase(),
    ...(name === undefined ? {} : { name: unescapeWhatwg(name) }),
    ...(filename === undefined ? {} : { filename }),
  };
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
