import type { OpenAPIHono } from "@hono/zod-openapi";
import { account } from "./api/account.ts";
import { admin } from "./api/admin/index.ts";
import { alerts } from "./api/alerts.ts";
import type { AppEnv } from "./api/app-env.ts";
import { auth } from "./api/auth.ts";
import { backup } from "./api/backup.ts";
import { serveDevMail } from "./api/dev-mail.ts";
import { duplicates } from "./api/duplicates.ts";
import { events } from "./api/events.ts";
import { folders } from "./api/folders.ts";
import { health } from "./api/health.ts";
import { images } from "./api/images/index.ts";
import { imports } from "./api/imports.ts";
import { keys } from "./api/keys.ts";
import { logs } from "./api/logs.ts";
import { getMetrics } from "./api/metrics.ts";
import { openAccess } from "./api/middleware/access.ts";
import {
  cors,
  countRequest,
  httpsOnly,
  limitBody,
  logRequest,
  openRequest,
  usageHeaders,
} from "./api/middleware/every-request.ts";
import { handleError } from "./api/middleware/handle-error.ts";
import { notFound } from "./api/middleware/not-found.ts";
import { serveOpenApi } from "./api/openapi/serve-openapi.ts";
import { passOnFile } from "./api/pass-on-file.ts";
import { passkeys } from "./api/passkeys.ts";
import { getPreview } from "./api/previews.ts";
import { fileReport, serveReportPage } from "./api/reports.ts";
import { createRouter } from "./api/router.ts";
import { savedSearches } from "./api/saved-searches.ts";
import { serveAssets } from "./api/serve-assets.ts";
import { serveDashboard } from "./api/serve-dashboard.ts";
import { sessions } from "./api/sessions.ts";
import { settings } from "./api/settings.ts";
import { serveSharePage } from "./api/share-page/serve-share-page.ts";
import { shares } from "./api/shares.ts";
import { signingKeys } from "./api/signing-keys.ts";
import { stats } from "./api/stats.ts";
import { tags } from "./api/tags.ts";
import { toolFiles } from "./api/tool-files.ts";
import { totp } from "./api/totp.ts";
import { uploadTokens } from "./api/upload-tokens.ts";
import { uploads } from "./api/uploads/resumable.ts";
import { tus, withMeantMethod } from "./api/uploads/upload-request.ts";
import { webhooks } from "./api/webhooks.ts";

/** The REST API: the order of middleware, then every router. */
export function createApp(): OpenAPIHono<AppEnv> {
  const app = createRouter();

  app.use(openRequest);
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
  serveSharePage(app);
  serveDevMail(app);
  app.use("/openapi.json", openAccess);
  serveOpenApi(app);
  for (const router of [
    health,
    getMetrics,
    auth,
    account,
    sessions,
    passkeys,
    totp,
    settings,
    savedSearches,
    webhooks,
    events,
    keys,
    signingKeys,
    uploadTokens,
    shares,
    admin,
    backup,
    uploads,
    imports,
    images,
    getPreview,
    duplicates,
    tags,
    folders,
    stats,
    logs,
    alerts,
    toolFiles,
    fileReport,
  ])
    app.route("/", router);
  app.fetch = withMeantMethod(app.fetch);
  return app;
}
