import { OpenAPIHono } from "@hono/zod-openapi";
import { ERRORS } from "../domain/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { toDetails } from "./validation-details.ts";

/** A router whose validation failures are errors of the catalogue: thrown here, answered by the one error handler. */
export function createRouter(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      const details = toDetails(result.error.issues);
      throw result.target === "query" ? ERRORS.InvalidQuery(details) : ERRORS.InvalidRequest(details);
    },
  });
}
