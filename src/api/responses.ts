import type { z } from "@hono/zod-openapi";
import { ERRORS, type ServiceError } from "../domain/errors.ts";
import { BYTES_PER_GB } from "../domain/tiers.ts";
import { headersOf, ON_EVERY_ANSWER, type ResponseHeader } from "./openapi/response-headers.ts";

/** The `responses` entry of a JSON answer. */
export function jsonResponse<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  headers: readonly ResponseHeader[] = [],
) {
  return { description, headers: headersOf(headers), content: { "application/json": { schema } } };
}

/** A JSON request body; a missing body or another content type is a 4xx. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } };
}

interface ErrorAnswer {
  /** In `#/components/responses`. */
  readonly name: string;
  readonly description: string;
  readonly examples: readonly ServiceError[];
  readonly headers?: readonly ResponseHeader[];
}

/** The answer of each error status. */
const ERROR_ANSWERS = {
  400: {
    name: "BadRequest",
    description: "Bad request",
    examples: [ERRORS.InvalidRequest({ name: "Required" }), ERRORS.InvalidQuery({ limit: "Must be at most 100" })],
  },
  401: {
    name: "Unauthorized",
    description: "No valid credential",
    examples: [ERRORS.InvalidKey()],
    headers: ["WWW-Authenticate"],
  },
  403: { name: "Forbidden", description: "Not allowed", examples: [ERRORS.ScopeRequired("images:read")] },
  404: { name: "NotFound", description: "Not found", examples: [ERRORS.ImageNotFound(), ERRORS.FolderNotFound()] },
  408: { name: "RequestTimeout", description: "The client stopped sending", examples: [ERRORS.UploadStalled()] },
  409: {
    name: "Conflict",
    description: "Conflict",
    examples: [ERRORS.RequestInProgress(2), ERRORS.OffsetConflict(1_048_576)],
    headers: ["Retry-After", "Upload-Offset"],
  },
  412: {
    name: "PreconditionFailed",
    description: "Unsupported version of tus",
    examples: [ERRORS.ProtocolVersion("1.0.0")],
    headers: ["Tus-Version"],
  },
  413: {
    name: "PayloadTooLarge",
    description: "Storage limit exceeded, or the body is too large",
    examples: [ERRORS.StorageLimit(0.98 * BYTES_PER_GB, BYTES_PER_GB), ERRORS.BodyTooLarge(100_000_000)],
  },
  415: {
    name: "UnsupportedMediaType",
    description: "Unsupported media type",
    examples: [ERRORS.UnsupportedType("a PDF document"), ERRORS.JsonRequired()],
  },
  422: {
    name: "UnprocessableContent",
    description: "The `Idempotency-Key` was used for different content",
    examples: [ERRORS.IdempotencyKeyReused()],
  },
  423: {
    name: "Locked",
    description: "Another request is writing to this upload",
    examples: [ERRORS.UploadLocked(1)],
    headers: ["Retry-After"],
  },
  429: {
    name: "TooManyRequests",
    description: "A limit is reached; `details.reason` is `rate`, `operations`, `uploads`, `attempts` or `preview`",
    examples: [ERRORS.RateLimited(12), ERRORS.OperationsExhausted(604_800)],
    headers: ["Retry-After"],
  },
  451: {
    name: "UnavailableForLegalReasons",
    description: "The file was taken down",
    examples: [ERRORS.TakenDown()],
  },
  500: {
    name: "InternalError",
    description: "Internal error",
    examples: [ERRORS.Internal().withDetails({ requestId: "8f2b1c0d4e5a6978-FRA" })],
  },
  503: {
    name: "ServiceUnavailable",
    description: "Temporarily unavailable",
    examples: [ERRORS.Unavailable(5)],
    headers: ["Retry-After"],
  },
} as const satisfies Record<number, ErrorAnswer>;

export type ErrorStatus = keyof typeof ERROR_ANSWERS;

/** The `responses` entries of errors. `guarded` adds the errors that follow from an endpoint's access and body. */
export function errorResponses(...statuses: ErrorStatus[]) {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${ERROR_ANSWERS[status].name}` }]),
  );
}

/** The answers that `errorResponses` refers to, by name. */
export function describeErrors() {
  return Object.values<ErrorAnswer>(ERROR_ANSWERS).map(({ name, description, examples, headers = [] }) => {
    const entries = examples.map((error) => [error.code, { value: error.toBody() }]);
    const content = {
      "application/json": {
        schema: { $ref: "#/components/schemas/ApiError" },
        examples: Object.fromEntries(entries),
      },
    };
    return [
      name,
      { description, headers: headersOf([...ON_EVERY_ANSWER, "Tus-Resumable", ...headers]), content },
    ] as const;
  });
}
