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
 * JSON is held whole in memory, so its size is bounded before it is read. Other bodies are read as a stream (uploads) or
 * not at all: a form that is sent to a path that does not exist is a 404, not too large.
 * @throws ServiceError 413
 */
export const limitBody: MiddlewareHandler<AppEnv> = async function limitBody(c, next) {
  return isForm(c.req.header("Content-Type") ?? "") ? next() : limitJson(c, next);
};

function isForm(contentType: string): boolean {
  return /^\s*multipart\//i.test(contentType);
}
