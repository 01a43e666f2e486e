import type { Mail } from "../mail.ts";

/** The content of a mail, which has no markup. The layout makes plain text and HTML of it. */
export interface MailContent {
  /** A fixed sentence. Text of a user could forge a header or a message. */
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The link of the mail. */
  readonly action?: { readonly label: string; readonly url: string };
  /** A code to type instead of following the link. */
  readonly code?: string;
  /** Paragraphs after the link. */
  readonly notes?: readonly string[];
}

/** The facts that every template may use. */
export interface MailScope {
  /** The service's address without a trailing slash; empty if it is not known. */
  readonly origin: string;
}

/** Plain text and HTML of the same content. */
export function layOut(content: MailContent, { origin }: MailScope): Omit<Mail, "to"> {
  return { subject: content.subject, text: toText(content, origin), html: toHtml(content, origin) };
}

function toText({ paragraphs, action, code, notes = [] }: MailContent, origin: string): string {
  const parts = [
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    ...(code === undefined ? [] : [`Code: ${code}`]),
    ...notes,
    ...(origin === "" ? [] : [`--\n${origin}`]),
  ];
  return `${parts.join("\n\n")}\n`;
}

const PAGE = "margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1c1c1c;background:#ffffff";
const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:6px;background:#1c1c1c;color:#ffffff;text-decoration:none";
const CODE = "font:600 22px/1.5 ui-monospace,monospace;letter-spacing:2px";
const FOOT = "color:#666666;font-size:13px";

function toHtml({ subject, paragraphs, action, code, notes = [] }: MailContent, origin: string): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const body = [
    ...paragraphs.map(paragraph),
    ...(action === undefined
      ? []
      : [`<p><a href="${escapeHtml(action.url)}" style="${BUTTON}">${escapeHtml(action.label)}</a></p>`]),
    ...(code === undefined ? [] : [`<p style="${CODE}">${escapeHtml(code)}</p>`]),
    ...notes.map(paragraph),
    ...(origin === "" ? [] : [`<p style="${FOOT}">${escapeHtml(origin)}</p>`]),
  ].join("\n");
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="${PAGE}">
${body}
</body>
</html>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
