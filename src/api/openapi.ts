import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./app-env.ts";
import { describeApi } from "./description.ts";

/** Serves the description of the API at `/openapi.json` (OpenAPI 3.1). */
export function serveOpenApi(app: OpenAPIHono<AppEnv>): void {
  const registry = app.openAPIRegistry;
  registry.registerComponent("securitySchemes", "uploadKey", {
    type: "http",
    scheme: "bearer",
    description: "`service_upload_...` (Free, Starter): uploads only",
  });
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    description: "`service_live_...` (Pro, Business); folders need the scopes `folders:read` and `folders:write`",
  });
  registry.registerComponent("securitySchemes", "session", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The token of a log-in",
  });
  registry.registerComponent("securitySchemes", "adminToken", {
    type: "http",
    scheme: "bearer",
    description: "The operator's ADMIN_TOKEN",
  });
  app.doc31("/openapi.json", (c) => ({
    openapi: "3.1.0",
    info: {
      title: "Media host",
      version: "1.0.0",
      description: describeApi(),
    },
    servers: [{ url: new URL(c.req.url).origin }],
  }));
}
