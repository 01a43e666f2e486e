import type { OpenAPIHono } from "@hono/zod-openapi";
import { account } from "./api/account/index.ts";
import { admin } from "./api/admin/index.ts";
import { alerts } from "./api/alerts/index.ts";
import type { AppEnv } from "./api/app-env.ts";
import { auth } from "./api/auth/index.ts";
import { clientAddress } from "./api/client-address.ts";
import { folders } from "./api/folders/index.ts";
import { getHealth } from "./api/health/get-health.ts";
import { getLiveness } from "./api/health/get-liveness.ts";
import { getReadiness } from "./api/health/get-readiness.ts";
import { images } from "./api/images/index.ts";
import { keys } from "./api/keys/index.ts";
import { logs } from "./api/logs/index.ts";
import { getMetrics } from "./api/metrics/get-metrics.ts";
import { cors } from "./api/middleware/cors.ts";
import { countRequest } from "./api/middleware/count-request.ts";
import { handleError } from "./api/middleware/handle-error.ts";
import { limitBody } from "./api/middleware/limit-body.ts";
import { logRequest } from "./api/middleware/log-request.ts";
import { notFound } from "./api/middleware/not-found.ts";
import { openAccess } from "./api/middleware/open-access.ts";
import { usageHeaders } from "./api/middleware/usage-headers.ts";
import { serveOpenApi } from "./api/openapi.ts";
import { passOnFile } from "./api/pass-on-file.ts";
import { getPreview } from "./api/previews/get-preview.ts";
import { createRouter } from "./api/router.ts";
import { serveAssets } from "./api/serve-assets.ts";
import { serveDashboard } from "./api/serve-dashboard.ts";
import { settings } from "./api/settings/index.ts";
import { stats } from "./api/stats/index.ts";
import { listTags } from "./api/tags/list-tags.ts";
import { toolFiles } from "./api/tool-files/index.ts";
import { uploads } from "./api/uploads/index.ts";
import { tus, withMeantMethod } from "./api/uploads/tus.ts";
import { openServices } from "./services/open-services.ts";

/** The REST API: the order of middleware, then every router. */
export function createApp(): OpenAPIHono<AppEnv> {
  const app = createRouter();

  app.use(async (c, next) => {
    c.set(
      "services",
      openServices(c.env, { origin: new URL(c.req.url).origin, waitUntil: (work) => c.executionCtx.waitUntil(work) }),
    );
    c.set("client", { address: clientAddress(c), rate: undefined });
    await next();
  });
  app.use(logRequest);
  // Not counted: counts are handed on by a call, and a view costs none (the CDN Worker's own requests are Cloudflare's to count).
  app.all("/uploads/*", passOnFile);
  app.use(countRequest);
  app.use(usageHeaders);
  app.use(tus);
  app.use(cors);
  app.use(limitBody);
  app.onError(handleError);
  app.notFound(notFound(app));

  serveAssets(app);
  serveDashboard(app);
  app.use("/openapi.json", openAccess);
  serveOpenApi(app);
  for (const router of [
    getHealth,
    getLiveness,
    getReadiness,
    getMetrics,
    auth,
    account,
    settings,
    keys,
    admin,
    uploads,
    images,
    getPreview,
    listTags,
    folders,
    stats,
    logs,
    alerts,
    toolFiles,
  ])
    app.route("/", router);
  const { fetch } = app;
  app.fetch = (request, ...rest) => fetch(withMeantMethod(request), ...rest);
  return app;
}
