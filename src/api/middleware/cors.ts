import { cors as honoCors } from "hono/cors";
import { USAGE_HEADERS } from "./usage-headers.ts";

/** Every origin, every method: authorization is a header, never a cookie, for other origins. */
export const cors = honoCors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: ["Authorization", "Content-Type"],
  exposeHeaders: [...USAGE_HEADERS, "Retry-After"],
  maxAge: 86_400,
});
