import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { ERRORS } from "../../domain/errors.ts";
import type { AppEnv } from "../app-env.ts";

/** A thousand ids are a tenth of this. */
const MAX_JSON_BYTES = 256 * 1024;

const limitJson = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: () => {
    throw ERRORS.BodyTooLarge(MAX_JSON_BYTES);
  },
});

/**
 * JSON is held whole in memory, so its size is bounded before it is read. Uploads are read as a stream and have a limit
 * of their own.
 * @throws ServiceError 413
 */
export const limitBody: MiddlewareHandler<AppEnv> = async function limitBody(c, next) {
  return c.req.path === "/images/upload" ? next() : limitJson(c, next);
};
