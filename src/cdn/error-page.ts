import type { ServiceError } from "../domain/errors.ts";
import { errorHeaders } from "./headers.ts";

/** The form, if the files have the API's address. */
const SAME_ADDRESS = "/report";

/** The page's own style, and nothing else. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const STYLE =
  ":root { color-scheme: light dark } body { display: grid; place-items: center; min-block-size: 90dvh; font: 1rem/1.5 system-ui; text-align: center; overflow-wrap: anywhere }";

/** Whether a browser opens the file's address as a page (Fetch Metadata). Programs and embedded files get JSON. */
export function isForPerson({ method, headers }: Request): boolean {
  return method === "GET" && headers.get("Sec-Fetch-Dest") === "document";
}

/**
 * An error as a page, with a link to the form for reports. It has a style and no script, and its policy allows none (FILE-5).
 * @param reportUrl the form's address, if the files have another address than the API
 */
export function toErrorPage(error: ServiceError, reportUrl = ""): Response {
  const { error: message } = error.toBody();
  const link = escapeHtml(reportUrl === "" ? SAME_ADDRESS : reportUrl);
  const title = `${error.statusCode} ${escapeHtml(message)}`;
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p><a href="${link}" rel="nofollow">Report a file to the operator</a></p></main></body></html>
`;
  const headers = {
    ...errorHeaders(error),
    "Content-Security-Policy": POLICY,
    "Content-Type": "text/html; charset=utf-8",
    "Referrer-Policy": "no-referrer",
  };
  return new Response(page, { status: error.statusCode, headers });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
