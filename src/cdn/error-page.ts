import type { ServiceError } from "../domain/errors.ts";
import { errorHeaders } from "./headers.ts";

/** The form, if the files have the API's address. */
const SAME_ADDRESS = "/report";

/** Nothing but the page's own style is allowed. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** The colours are the dashboard's (`dashboard/design/tokens.css`). The page loads no font. */
const STYLE = `:root { color-scheme: light dark; background: light-dark(oklch(0.975 0.003 250), oklch(0.185 0.006 255)); color: light-dark(oklch(0.235 0.012 255), oklch(0.95 0.004 255)); }
body { margin: 0; min-block-size: 100dvh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif; }
main { padding: 24px; text-align: center; text-wrap: balance; overflow-wrap: anywhere; }
h1 { margin: 0 0 8px; font-size: 1.375rem; line-height: 1.3; }
p { margin: 0; }
a { display: inline-block; padding-block: 10px; color: light-dark(oklch(0.455 0.014 255), oklch(0.755 0.01 255)); text-underline-offset: 2px; }`;

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
