import type { OpenAPIHono } from "@hono/zod-openapi";
import type { NotFoundHandler } from "hono";
import { ERRORS } from "../../domain/errors.ts";
import type { AppEnv } from "../app-env.ts";
import { identifyCaller } from "./access.ts";
import { handleError } from "./handle-error.ts";

interface Endpoint {
  readonly methods: ReadonlySet<string>;
  readonly pattern: RegExp;
}

/** Answers 404, or 405 with `Allow` if the path has other methods (SVC-7; RFC 9110, 15.5.6). */
export function notFound(app: OpenAPIHono<AppEnv>): NotFoundHandler<AppEnv> {
  let endpoints: Endpoint[] | undefined;
  return async function notFound(c) {
    endpoints ??= listEndpoints(app);
    const allowed = new Set<string>();
    for (const { methods, pattern } of endpoints) {
      if (pattern.test(c.req.path)) for (const method of methods) allowed.add(method);
    }
    if (allowed.has("GET")) allowed.add("HEAD");
    const answer = allowed.size === 0 ? ERRORS.NotFound() : ERRORS.MethodNotAllowed([...allowed, "OPTIONS"].join(", "));
    // Answered, not thrown: for errors thrown here, Hono skips the middleware that writes the headers.
    try {
      await identifyCaller(c);
      return await handleError(answer, c);
    } catch (error) {
      return handleError(error instanceof Error ? error : answer, c);
    }
  };
}

function listEndpoints(app: OpenAPIHono<AppEnv>): Endpoint[] {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method === "ALL") continue;
    methodsByPath.set(path, (methodsByPath.get(path) ?? new Set()).add(method));
  }
  return [...methodsByPath].map(([path, methods]) => ({ methods, pattern: toPattern(path) }));
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:[A-Za-z]+/g, "[^/]+").replace(/\/\*$/, "(?:/.*)?")}$`);
}
