import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";
import { dashboardHeaders } from "./dashboard-headers.ts";

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
