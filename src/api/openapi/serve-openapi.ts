import type { OpenAPIHono } from "@hono/zod-openapi";
import { ErrorSchema } from "../../contract/common.ts";
import { SELECTING_VARIANTS } from "../../contract/selection.ts";
import type { AppEnv } from "../app-env.ts";
import { describeErrors } from "../responses.ts";
import { describeApi } from "./describe-api.ts";
import { withExamples } from "./examples.ts";
import { RESPONSE_HEADERS } from "./response-headers.ts";

const CREDENTIALS = {
  uploadKey: { description: "`service_upload_...` (Free, Starter): uploads only" },
  apiKey: {
    description:
      "`service_live_...` (Pro, Business). An endpoint's description names the scope that a key needs; " +
      "a key with none of the scopes besides `folders:read` and `folders:write` has all others",
  },
  uploadToken: { description: "`service_token_...`: uploads only, within the token's limits" },
  session: { description: "The token of a log-in", bearerFormat: "JWT" },
  adminToken: { description: "The operator's ADMIN_TOKEN" },
} as const;

const TAGS = {
  accounts: "The account, its sessions and the proofs of its owner",
  alerts: "Usage alerts, and the webhook that receives them (Pro, Business)",
  events: "Events of the account, and the webhooks that receive them",
  folders: "Folders of the library, which nest",
  images: "Uploads: store, list, change, trash and delete images and videos",
  keys: "Keys of programs, and keys that sign URLs",
  logs: "The log of operations",
  operator: "Administration, with the operator's token",
  service: "Health of the service, and reports of files",
  settings: "How files are stored, and in which sizes and formats they are served",
  shares: "Pages of files for everyone who has their address",
  stats: "Storage, operations and traffic of the account",
  tools: "Configurations for other programs",
} as const;

/** Serves the description of the API at `/openapi.json` (OpenAPI 3.1). */
export function serveOpenApi(app: OpenAPIHono<AppEnv>): void {
  const registry = app.openAPIRegistry;
  for (const [name, facts] of Object.entries(CREDENTIALS)) {
    registry.registerComponent("securitySchemes", name, { type: "http", scheme: "bearer", ...facts });
  }
  for (const [name, header] of Object.entries(RESPONSE_HEADERS)) registry.registerComponent("headers", name, header);
  registry.register("ApiError", ErrorSchema);
  for (const [name, schema] of SELECTING_VARIANTS) registry.register(name, schema);
  for (const [name, response] of describeErrors()) registry.registerComponent("responses", name, response);
  app.get("/openapi.json", (c) => c.json(describeOpenApi(app, new URL(c.req.url))));
}

/**
 * The description of an API that `serveOpenApi` has prepared. Over http, which only this machine may use, its server is relative: a description
 * must not send others to `localhost`.
 */
export function describeOpenApi(app: OpenAPIHono<AppEnv>, { protocol, origin }: URL) {
  const description = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Media host",
      version: "1.0.0",
      description: describeApi(),
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      contact: { name: "The operator of this service", url: `${origin}/docs` },
    },
    servers: [{ url: protocol === "https:" ? origin : "/" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  });
  return withExamples(description);
}
