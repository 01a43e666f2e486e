import { z } from "@hono/zod-openapi";
import type { Access } from "../domain/principal.ts";

/** Shapes and response tables that several endpoints share. */

const ErrorSchema = z
  .object({
    error: z.string(),
    statusCode: z.number().int(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("Error");

/** The `responses` entry of a JSON answer. */
export function jsonResponse<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { "application/json": { schema } } };
}

const ERROR_DESCRIPTIONS = {
  400: "Bad request",
  401: "No valid credential",
  403: "Not allowed",
  404: "Not found",
  408: "The client stopped sending",
  409: "Conflict",
  413: "Storage limit exceeded, or the body is too large",
  415: "Unsupported media type",
  429: "Rate limit, or the month's operations reached",
  503: "Temporarily unavailable",
} as const;

type ErrorStatus = keyof typeof ERROR_DESCRIPTIONS;

/** The `responses` entries of errors: those given, and those every endpoint can answer. */
export function errorResponses(...statuses: ErrorStatus[]) {
  const all = [...statuses, 429, 503] as const;
  return Object.fromEntries(all.map((status) => [status, jsonResponse(ERROR_DESCRIPTIONS[status], ErrorSchema)]));
}

/** What `security` says of an endpoint; every credential is a bearer token. */
export function bearer(access: Access | "admin"): Record<string, string[]>[] {
  return access === "admin"
    ? [{ adminToken: [] }]
    : access === "session"
      ? [{ session: [] }]
      : [{ key: [] }, { session: [] }];
}

export const IdParam = z.object({ id: z.string().openapi({ param: { name: "id", in: "path" } }) });

export const MessageSchema = z.object({ message: z.string() }).openapi("Message");

/** Bodies that name many uploads are bounded. */
export const MAX_IDS = 1000;
export const IdsBody = z.object({ ids: z.array(z.string().max(64)).min(1).max(MAX_IDS) }).openapi("Ids");
export const UpdatedSchema = z.object({ updated: z.number().int() }).openapi("Updated");

/** A JSON request body; a missing one, or one of another type, is a 4xx. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } };
}
