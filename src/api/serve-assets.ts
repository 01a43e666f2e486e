import type { OpenAPIHono } from "@hono/zod-openapi";
import { ERRORS } from "../domain/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { openAccess } from "./middleware/open-access.ts";

/** Where `npm run build` puts pages (src/tools/build/assets.ts). */
const PATHS = ["/docs/*", "/favicon.svg"];

/**
 * Serves the static files. wrangler.toml has every request reach the Worker first (`run_worker_first`): answers that the
 * platform gives by itself lack the headers that every response carries (specification, Response headers).
 */
export function serveAssets(app: OpenAPIHono<AppEnv>): void {
  for (const path of PATHS) {
    app.get(path, openAccess, async (c) => {
      const asset = await c.env.ASSETS.fetch(c.req.raw);
      if (asset.status === 404) throw ERRORS.NotFound();
      // A copy, as the headers of what was fetched cannot be changed.
      return new Response(asset.body, asset);
    });
  }
}
