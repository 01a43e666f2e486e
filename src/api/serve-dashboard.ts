import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

/** Origin of Turnstile's widget. */
const TURNSTILE = "https://challenges.cloudflare.com";

/** Browser features that are switched off: the dashboard needs none. */
const FEATURES = ["camera", "display-capture", "geolocation", "microphone", "payment", "usb"];

interface PageKind {
  /** Prefix of files' URLs. */
  readonly cdnUrl: string;
  /** The page shows Turnstile's widget, which creates its own scripts and frames. */
  readonly hasTurnstile: boolean;
}

const HOME = "/dashboard/library";
/** The page's path in the assets (src/tools/build/dashboard.ts). */
const SHELL = "/dashboard/";
/** The share target of the app's manifest. */
const SHARE_TARGET = "/dashboard/app/share";
/** The only page with Turnstile's widget. */
const REGISTER = "/dashboard/register";
const HTML = /\btext\/html\b/;

/**
 * Answers every page of the dashboard with the same HTML, which reads its state from the URL. The Worker serves it, because its policy
 * contains the files' host. It calls no database and no object, so it is not counted. Browsers that open `/` are redirected to it; other
 * clients get a 404.
 */
export function serveDashboard(app: OpenAPIHono<AppEnv>): void {
  app.use("/", async (c, next) => {
    const { method } = c.req;
    if (!(method === "GET" || method === "HEAD") || !HTML.test(c.req.header("Accept") ?? "")) return next();
    return redirectHome(c);
  });
  app.get("/dashboard", redirectHome);
  app.get("/dashboard/", redirectHome);
  app.get("/dashboard/*", async (c, next) => {
    // The platform serves existing assets.
    if (/^\/dashboard\/(assets|app)\//.test(c.req.path)) return next();
    const page = await c.env.ASSETS.fetch(new Request(new URL(SHELL, c.req.url), { headers: conditional(c) }));
    const answer = new Response(page.body, page);
    const { cdnUrl, registration } = c.var.services.config;
    const hasTurnstile = registration.turnstile !== undefined && c.req.path === REGISTER;
    for (const [name, value] of Object.entries(dashboardHeaders({ cdnUrl, hasTurnstile })))
      answer.headers.set(name, value);
    return answer;
  });
  // Only a browser without the worker of shared files (public/app/share-worker.js) sends them here. The page says that no file has arrived.
  app.post(SHARE_TARGET, (c) => c.redirect(`${HOME}?shared=files`, 303));
}

function redirectHome(c: Context<AppEnv>): Response {
  c.header("Cache-Control", "no-cache");
  c.header("Vary", "Accept");
  return c.redirect(HOME, 302);
}

/** Passes the browser's ETag on, so that an unchanged page is a 304. */
function conditional(c: Context<AppEnv>): HeadersInit {
  const etag = c.req.header("If-None-Match");
  return etag === undefined ? {} : { "If-None-Match": etag };
}

/**
 * The headers of the dashboard's pages: only files of this service and of the account run or are shown. Trusted Types
 * forbid making scripts or markup from text; only the worker of shared files has a script URL. The files' host is listed because it may differ.
 */
function dashboardHeaders({ cdnUrl, hasTurnstile }: PageKind): Record<string, string> {
  const cdn = new URL(cdnUrl).origin;
  const policy = [
    "default-src 'none'",
    hasTurnstile ? `script-src 'self' ${TURNSTILE}` : "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    `img-src 'self' blob: ${cdn}`,
    `media-src 'self' blob: ${cdn}`,
    `connect-src 'self' ${cdn}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(hasTurnstile
      ? [`frame-src ${TURNSTILE}`]
      : ["require-trusted-types-for 'script'", "trusted-types share-worker"]),
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": FEATURES.map((feature) => `${feature}=()`).join(", "),
    "Cache-Control": "no-cache",
  };
}
