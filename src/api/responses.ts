import type { z } from "@hono/zod-openapi";
import { ErrorSchema } from "../contract/common.ts";

/** The `responses` entry of a JSON answer. */
export function jsonResponse<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { "application/json": { schema } } };
}

/** The meaning of each error status, for the description of the API. */
export const ERROR_DESCRIPTIONS = {
  400: "Bad request",
  401: "No valid credential",
  403: "Not allowed",
  404: "Not found",
  408: "The client stopped sending",
  409: "Conflict",
  412: "Unsupported version of tus",
  413: "Storage limit exceeded, or the body is too large",
  415: "Unsupported media type",
  422: "The `Idempotency-Key` was used for different content",
  423: "Another request is writing to this upload",
  429: "A limit is reached; `details.reason` is `rate`, `operations`, `uploads`, `attempts` or `preview`",
  451: "The file was taken down",
  500: "Internal error",
  503: "Temporarily unavailable",
} as const;

export type ErrorStatus = keyof typeof ERROR_DESCRIPTIONS;

/** The `responses` entries of errors. `guarded` adds the errors that follow from an endpoint's access and body. */
export function errorResponses(...statuses: ErrorStatus[]) {
  return Object.fromEntries(statuses.map((status) => [status, jsonResponse(ERROR_DESCRIPTIONS[status], ErrorSchema)]));
}

/** A JSON request body; a missing body or another content type is a 4xx. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } };
}
