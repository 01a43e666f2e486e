import type { OpenAPIHono } from "@hono/zod-openapi";
import { ERRORS } from "../domain/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { openAccess } from "./middleware/access.ts";
import { ELEMENT_PATH } from "./share-page/guest-upload.ts";
import { publicOrigin } from "./tool-files.ts";

/** Paths of files that `npm run build` creates (src/tools/build/assets.ts, src/tools/build/share-page.ts). */
const PATHS = [
  ...["/docs/*", "/share-page/*", "/dashboard/app/*"],
  ...["/favicon.svg", ELEMENT_PATH, "/llms.txt", "/llms-full.txt"],
];
/** Types of pages whose examples contain the local address. */
const EXAMPLES = /^text\/(?:html|markdown|plain)\b/;
const LOCAL_ADDRESS = "http://localhost:8787";

/**
 * Serves the static files. In wrangler.toml every request reaches the Worker first (`run_worker_first`), because the
 * platform's own answers lack the headers of every response (LIM-7).
 */
export function serveAssets(app: OpenAPIHono<AppEnv>): void {
  for (const path of PATHS) {
    app.get(path, openAccess, async (c) => {
      const asset = await c.env.ASSETS.fetch(c.req.raw);
      if (asset.status === 404) throw ERRORS.NotFound();
      if (EXAMPLES.test(asset.headers.get("Content-Type") ?? "")) return withOwnAddress(asset, publicOrigin(c.req.url));
      // A copy, because a fetched answer's headers are immutable.
      return new Response(asset.body, asset);
    });
  }
}

/** The page with the caller's address in its examples. Pages are files of the deployment, so they have a known, small size. */
async function withOwnAddress(asset: Response, origin: string): Promise<Response> {
  const headers = new Headers(asset.headers);
  // These headers describe the unchanged file, not this page.
  for (const name of ["ETag", "Content-Length"]) headers.delete(name);
  return new Response((await asset.text()).replaceAll(LOCAL_ADDRESS, origin), { headers });
}
