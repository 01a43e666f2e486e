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
import { handleError } from "./api/middleware/handle-error.ts";
import { limitBody } from "./api/middleware/limit-body.ts";
import { notFound } from "./api/middleware/not-found.ts";
import { observe } from "./api/middleware/observe.ts";
import { openAccess } from "./api/middleware/open-access.ts";
import { usageHeaders } from "./api/middleware/usage-headers.ts";
import { serveOpenApi } from "./api/openapi.ts";
import { getPreview } from "./api/previews/get-preview.ts";
import { createRouter } from "./api/router.ts";
import { serveAssets } from "./api/serve-assets.ts";
import { serveDashboard } from "./api/serve-dashboard.ts";
import { settings } from "./api/settings/index.ts";
import { stats } from "./api/stats/index.ts";
import { uploads } from "./api/uploads/index.ts";
import { tus, withMeantMethod } from "./api/uploads/tus.ts";
import { openServices } from "./services/open-services.ts";

/** The REST API: the order of middleware, then every router. */
export function createApp(): OpenAPIHono<AppEnv> {
  const app = createRouter();

  // Files are the CDN Worker's; they pass through where one address serves both.
  app.all("/uploads/*", (c) => c.env.CDN.fetch(c.req.raw));

  app.use(async (c, next) => {
    c.set(
      "services",
      openServices(c.env, { origin: new URL(c.req.url).origin, waitUntil: (work) => c.executionCtx.waitUntil(work) }),
    );
    c.set("client", { address: clientAddress(c), rate: undefined });
    await next();
  });
  app.use(observe);
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
    folders,
    stats,
    logs,
    alerts,
  ])
    app.route("/", router);
  const { fetch } = app;
  app.fetch = (request, ...rest) => fetch(withMeantMethod(request), ...rest);
  return app;
}
