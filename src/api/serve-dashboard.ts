import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";
import { dashboardHeaders } from "./dashboard-headers.ts";

const HOME = "/dashboard/library";
/** Where the assets have the page (src/tools/build/dashboard.ts). */
const SHELL = "/dashboard/";
/** The one page with Turnstile's widget. */
const REGISTER = "/dashboard/register";
const HTML = /\btext\/html\b/;

/**
 * Answers every page of the dashboard with the same shell, which reads the rest from its address. It is the Worker's, not the platform's,
 * as its policy names the files' host; it asks no database and no object, so that nobody is counted. A browser that opens the bare address
 * is sent to it; everybody else gets there what every unknown path gets.
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
    // The platform serves those that there are.
    if (c.req.path.startsWith("/dashboard/assets/")) return next();
    const page = await c.env.ASSETS.fetch(new Request(new URL(SHELL, c.req.url), { headers: conditional(c) }));
    const answer = new Response(page.body, page);
    const { cdnUrl, registration } = c.var.services.config;
    const hasTurnstile = registration.turnstile !== undefined && c.req.path === REGISTER;
    for (const [name, value] of Object.entries(dashboardHeaders({ cdnUrl, hasTurnstile })))
      answer.headers.set(name, value);
    return answer;
  });
}

function redirectHome(c: Context<AppEnv>): Response {
  c.header("Cache-Control", "no-cache");
  c.header("Vary", "Accept");
  return c.redirect(HOME, 302);
}

/** A browser that has the page asks whether it is still this one. */
function conditional(c: Context<AppEnv>): HeadersInit {
  const etag = c.req.header("If-None-Match");
  return etag === undefined ? {} : { "If-None-Match": etag };
}
