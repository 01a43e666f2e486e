import { OpenAPIHono, z } from "@hono/zod-openapi";
import { messageOf } from "../contract/validation-messages.ts";
import { ERRORS } from "../domain/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { KeptRouter } from "./kept-router.ts";

z.config({ customError: messageOf });

/**
 * A router that throws validation failures as `ERRORS`, which `handleError` answers. It accepts only endpoints that declare their access
 * (`guarded`).
 */
export function createRouter(): OpenAPIHono<AppEnv> {
  const router = new OpenAPIHono<AppEnv>({
    router: new KeptRouter(),
    defaultHook: (result) => {
      if (result.success) return;
      const { issues } = result.error;
      if (result.target !== "query") throw ERRORS.InvalidRequest(toDetails(issues));
      // A bad `page` or `limit` has its own message (LIST-2).
      const paging = issues.filter(({ path }) => path[0] === "page" || path[0] === "limit");
      throw paging.length > 0 ? ERRORS.InvalidPaging(toDetails(paging)) : ERRORS.InvalidQuery(toDetails(issues));
    },
  });
  const { openapi } = router;
  const openGuarded = (...[route, ...rest]: Parameters<typeof openapi>) => {
    if (!("x-access" in route)) throw new Error(`${route.method} ${route.path} states no access: use \`guarded\``);
    return openapi(route, ...rest);
  };
  router.openapi = openGuarded as typeof openapi;
  return router;
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A client that sends a thousand wrong fields gets the first few. */
const MAX_ISSUES = 20;

/** The message of each wrong field: `{ field: message }`. */
function toDetails(issues: readonly Issue[]): Record<string, string> {
  const details: Record<string, string> = {};
  for (const { path, message } of issues.slice(0, MAX_ISSUES)) {
    const field = path.length === 0 ? "body" : path.map(String).join(".");
    details[field] ??= message;
  }
  return details;
}
