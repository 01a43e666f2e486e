import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { ERRORS } from "../../domain/errors.ts";
import { MAX_JSON_BYTES } from "../../domain/limits.ts";
import type { AppEnv } from "../app-env.ts";
import { identifyCaller } from "./identify-caller.ts";

/** Its body is read as a stream, whatever its type. */
const UPLOAD_PATH = "/images/upload";

const limitJson = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: async (c) => {
    // The answer's headers are the account's, which the endpoint would have asked for only after this.
    await identifyCaller(c);
    throw ERRORS.BodyTooLarge(MAX_JSON_BYTES);
  },
});

/**
 * JSON is held whole in memory, so its size is bounded before it is read. Other bodies are read as a stream (uploads) or not
 * at all: a file that is sent to a path that does not exist is a 404, not too large.
 * @throws ServiceError 413
 */
export const limitBody: MiddlewareHandler<AppEnv> = async function limitBody(c, next) {
  const isRead = /json/i.test(c.req.header("Content-Type") ?? "") && c.req.path !== UPLOAD_PATH;
  return isRead ? limitJson(c, next) : next();
};
