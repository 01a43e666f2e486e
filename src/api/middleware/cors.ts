import { cors as honoCors } from "hono/cors";
import { REQUEST_ID_HEADER } from "./log-request.ts";
import { USAGE_HEADERS } from "./usage-headers.ts";

/**
 * Every origin, every method: authorization is a header, never a cookie, for other origins. Every request header too (what
 * a preflight names is allowed): upload widgets add some of their own, `X-Requested-With` and `Cache-Control` among them.
 */
export const cors = honoCors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  exposeHeaders: [...USAGE_HEADERS, "Retry-After", "X-Original-Size", REQUEST_ID_HEADER],
  maxAge: 86_400,
});
