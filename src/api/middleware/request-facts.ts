import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { AppEnv } from "../app-env.ts";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What is told on of an answered request: nothing that a client made up, so no path, no query, no header, no body. */
export interface RequestFacts {
  readonly method: string;
  /** As the API's description writes it; `none` where no endpoint was found. */
  readonly route: string;
  readonly status: number;
}

export function requestFacts(c: Context<AppEnv>): RequestFacts {
  const path = matchedRoutes(c).find((matched) => matched.path !== "/*")?.path;
  return {
    method: METHODS.has(c.req.method) ? c.req.method : "other",
    route: path === undefined ? "none" : path.replace(/:([A-Za-z]+)/g, "{$1}"),
    status: c.res.status,
  };
}
