import type { OpenAPIHono } from "@hono/zod-openapi";
import { ReportBody, ReportedSchema } from "../contract/report.ts";
import { TURNSTILE_ACTION } from "../domain/registration.ts";
import { fileReport as file } from "../services/operator/reports.ts";
import type { AppEnv } from "./app-env.ts";
import { guarded } from "./guarded.ts";
import { openAccess } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";
import { SHARE_STYLE } from "./share-page/share-style.ts";
import { publicOrigin } from "./tool-files.ts";

const route = guarded("open", {
  operationId: "fileReport",
  method: "post",
  path: "/reports",
  tags: ["service"],
  summary: "Report a file to the operator",
  description: "Ten an hour for each address. `GET /report` is a page with a form.",
  request: { body: jsonBody(ReportBody) },
  responses: { 201: jsonResponse("The report is filed", ReportedSchema), ...errorResponses(403) },
});

export const fileReport = createRouter().openapi(route, async (c) => {
  const { hostname } = new URL(c.req.url);
  const id = await file(c.var.services, c.req.valid("json"), { address: c.var.client.address, hostname });
  return c.json({ id, message: "Thank you. The operator will read your report." }, 201);
});

const TURNSTILE = "https://challenges.cloudflare.com";
/** RFC 9116 asks for an expiry; the answer is made for each request. */
const VALID_MS = 180 * 24 * 60 * 60_000;
const HEADERS = { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache" };

/** Sends the form as JSON and shows the answer's text. */
const SCRIPT = `document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = document.querySelector("output");
  const fields = [...new FormData(event.target)].filter(([, value]) => value !== "");
  const body = Object.fromEntries(fields.map(([name, value]) => [name === "cf-turnstile-response" ? "turnstileToken" : name, value]));
  const say = (text, tone) => Object.assign(said, { className: tone, textContent: text });
  say("Sending", "about");
  try {
    const answer = await fetch("/reports", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const { message, error } = await answer.json();
    say(message ?? error, answer.ok ? "about" : "wrong");
    if (answer.ok) event.target.reset();
  } catch {
    say("The report could not be sent. Please try again.", "wrong");
  }
});`;

/** The public pages about abuse: a form for reports, `security.txt` (RFC 9116) and the well-known page for a password change. */
export function serveReportPage(app: OpenAPIHono<AppEnv>): void {
  app.get("/report", openAccess, async (c) => {
    const { turnstile } = c.var.services.config.registration;
    const hash = await hashOf(SCRIPT);
    const widget = turnstile === undefined ? "" : ` ${TURNSTILE}`;
    const policy = `default-src 'none'; script-src 'sha256-${hash}'${widget}; style-src 'unsafe-inline'; font-src 'self'; img-src 'self'; connect-src 'self'; frame-src${widget || " 'none'"}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
    return c.html(page(turnstile?.siteKey), 200, { ...HEADERS, "Content-Security-Policy": policy });
  });
  app.get("/.well-known/security.txt", openAccess, (c) => {
    const origin = publicOrigin(c.req.url);
    const expires = new Date(c.var.services.now() + VALID_MS).toISOString();
    const text = `Contact: ${origin}/report\nExpires: ${expires}\nCanonical: ${origin}/.well-known/security.txt\nPreferred-Languages: en\n`;
    return c.text(text, 200, HEADERS);
  });
  app.get("/.well-known/change-password", openAccess, (c) => c.redirect("/dashboard/settings", 302));
}

function page(siteKey: string | undefined): string {
  const widget =
    siteKey === undefined
      ? ""
      : `<div class="cf-turnstile" data-sitekey="${siteKey.replace(/[^\w-]/g, "")}" data-action="${TURNSTILE_ACTION}"></div>
<script src="${TURNSTILE}/turnstile/v0/api.js" async defer></script>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><title>Report a file</title>
<link rel="icon" href="/favicon.svg"><style>${SHARE_STYLE}</style></head>
<body><main><form class="card"><h1>Report a file</h1><p class="about">Report a file that is illegal, harmful or yours to the operator.</p>
<label>Address of the file <input name="url" type="url" required maxlength="2000"></label>
<label>The problem <textarea name="reason" rows="5" required maxlength="1000"></textarea></label>
<label>Your e-mail, for questions (optional) <input name="email" type="email" autocomplete="email" maxlength="254"></label>
${widget}<button class="button">Send</button><output class="about"></output><noscript><p class="wrong">This form needs JavaScript.</p></noscript></form></main>
<script>${SCRIPT}</script></body></html>`;
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
