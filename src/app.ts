import type { OpenAPIHono } from "@hono/zod-openapi";
import { account } from "./api/account.ts";
import { admin } from "./api/admin/index.ts";
import { alerts } from "./api/alerts.ts";
import type { AppEnv } from "./api/app-env.ts";
import { auth } from "./api/auth.ts";
import { backup } from "./api/backup.ts";
import { serveDevMail } from "./api/dev-mail.ts";
import { folders } from "./api/folders.ts";
import { getHealth } from "./api/health/get-health.ts";
import { getLiveness } from "./api/health/get-liveness.ts";
import { getReadiness } from "./api/health/get-readiness.ts";
import { images } from "./api/images/index.ts";
import { keys } from "./api/keys.ts";
import { logs } from "./api/logs.ts";
import { getMetrics } from "./api/metrics/get-metrics.ts";
import { cors, httpsOnly, limitBody, usageHeaders } from "./api/middleware/every-request.ts";
import { handleError } from "./api/middleware/handle-error.ts";
import { countRequest, logRequest } from "./api/middleware/log-request.ts";
import { notFound } from "./api/middleware/not-found.ts";
import { openAccess } from "./api/middleware/open-access.ts";
import { serveOpenApi } from "./api/openapi.ts";
import { passOnFile } from "./api/pass-on-file.ts";
import { passkeys } from "./api/passkeys.ts";
import { getPreview } from "./api/previews/get-preview.ts";
import { fileReport } from "./api/reports/file-report.ts";
import { serveReportPage } from "./api/reports/report-page.ts";
import { createRouter } from "./api/router.ts";
import { serveAssets } from "./api/serve-assets.ts";
import { serveDashboard } from "./api/serve-dashboard.ts";
import { sessions } from "./api/sessions.ts";
import { settings } from "./api/settings/index.ts";
import { signingKeys } from "./api/signing-keys/index.ts";
import { stats } from "./api/stats/index.ts";
import { tags } from "./api/tags.ts";
import { toolFiles } from "./api/tool-files.ts";
import { totp } from "./api/totp.ts";
import { uploads } from "./api/uploads/resumable.ts";
import { tus, withMeantMethod } from "./api/uploads/upload-headers.ts";
import { clientAddressOf, deviceName } from "./domain/client.ts";
import { openServices } from "./services/open-services.ts";

/** The REST API: the order of middleware, then every router. */
export function createApp(): OpenAPIHono<AppEnv> {
  const app = createRouter();

  app.use(async (c, next) => {
    c.set(
      "services",
      openServices(c.env, { origin: new URL(c.req.url).origin, waitUntil: (work) => c.executionCtx.waitUntil(work) }),
    );
    c.set("client", {
      address: clientAddressOf(c.req.raw.headers),
      device: deviceName(c.req.header("User-Agent")),
      rate: undefined,
    });
    await next();
  });
  app.use(logRequest);
  // Views are not counted here, because flushing counts would cost calls. Cloudflare counts the CDN Worker's own requests.
  app.all("/uploads/*", passOnFile);
  app.use(countRequest);
  app.use(usageHeaders);
  app.use(httpsOnly);
  app.use(tus);
  app.use(cors);
  app.use(limitBody);
  app.onError(handleError);
  app.notFound(notFound(app));

  serveAssets(app);
  serveDashboard(app);
  serveReportPage(app);
  serveDevMail(app);
  app.use("/openapi.json", openAccess);
  serveOpenApi(app);
  for (const router of [
    getHealth,
    getLiveness,
    getReadiness,
    getMetrics,
    auth,
    account,
    sessions,
    passkeys,
    totp,
    settings,
    keys,
    signingKeys,
    admin,
    backup,
    uploads,
    images,
    getPreview,
    tags,
    folders,
    stats,
    logs,
    alerts,
    toolFiles,
    fileReport,
  ])
    app.route("/", router);
  const { fetch } = app;
  app.fetch = (request, ...rest) => fetch(withMeantMethod(request), ...rest);
  return app;
}
