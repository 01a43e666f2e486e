import { Refusal } from "./refusal.ts";

/**
 * Reads a comma-separated list of origins.
 * @throws Error for an entry that is not a plain http or https origin
 */
export function parseOrigins(list: string): ReadonlySet<string> {
  const origins = list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  return new Set(
    origins.map((origin) => {
      const url = URL.parse(origin);
      const isPlain = url !== null && /^https?:$/.test(url.protocol) && origin.replace(/\/$/, "") === url.origin;
      if (!isPlain) throw new Error(`SOURCE_ORIGINS: ${origin} is not an origin`);
      return url.origin;
    }),
  );
}

/**
 * Returns the URL of a source that may be fetched.
 * @throws Refusal 400 for a source outside the allowed origins, before any request is made
 */
export function requireAllowedSource(source: string, origins: ReadonlySet<string>): URL {
  const url = URL.parse(source);
  if (url === null) throw new Refusal(400, "source is not a URL");
  if (url.username !== "" || url.password !== "") throw new Refusal(400, "source carries credentials");
  if (!origins.has(url.origin)) throw new Refusal(400, "source is outside the allowed origins");
  url.hash = "";
  return url;
}
