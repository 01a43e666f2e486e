import { OpenAPIHono, z } from "@hono/zod-openapi";
import { messageOf } from "../contract/validation-messages.ts";
import { ERRORS } from "../domain/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { toDetails } from "./validation-details.ts";

z.config({ customError: messageOf });

/**
 * A router that throws validation failures as `ERRORS`, which `handleError` answers. It accepts only endpoints that declare their access
 * (`guarded`).
 */
export function createRouter(): OpenAPIHono<AppEnv> {
  const router = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      const details = toDetails(result.error.issues);
      throw result.target === "query" ? ERRORS.InvalidQuery(details) : ERRORS.InvalidRequest(details);
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
