import { MEDIA_TYPES } from "./media-types.ts";
import { BYTES_PER_GB } from "./tiers.ts";

/** Every error that a client can be told of. The words in the specification's tables stand here and nowhere else. */

export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface ErrorBody {
  readonly error: string;
  readonly statusCode: number;
  readonly details?: ErrorDetails;
}

export class ServiceError extends Error {
  readonly statusCode: number;
  readonly details: ErrorDetails | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: number, message: string, details?: ErrorDetails, headers: Record<string, string> = {}) {
    super(message);
    this.name = "ServiceError";
    this.statusCode = statusCode;
    this.details = details;
    this.headers = headers;
  }

  /** The documented shape of every error (specification, Errors). */
  toBody(): ErrorBody {
    return {
      error: this.message,
      statusCode: this.statusCode,
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }

  /** A copy whose details hold `more` as well. */
  withDetails(more: ErrorDetails): ServiceError {
    return new ServiceError(this.statusCode, this.message, { ...this.details, ...more }, this.headers);
  }
}

/**
 * Which limit a 429 is about, `details.reason`: the requests of a minute (of an account or an address), the month's operations, or
 * attempts to log in or to register.
 */
export type LimitReason = "rate" | "operations" | "attempts";

function tooMany(reason: LimitReason, message: string, retryAfterSeconds: number): ServiceError {
  return retryable(429, message, { reason, retryAfter: retryAfterSeconds });
}

function retryable(
  statusCode: 409 | 423 | 429 | 503,
  message: string,
  details: ErrorDetails & { readonly retryAfter: number },
): ServiceError {
  return new ServiceError(statusCode, message, details, { "Retry-After": String(details.retryAfter) });
}

function gigabytes(bytes: number): string {
  return (bytes / BYTES_PER_GB).toFixed(2).replace(/\.?0+$/, "");
}

export const ERRORS = {
  // 400
  InvalidRequest: (details: ErrorDetails) => new ServiceError(400, "Invalid request", details),
  InvalidQuery: (details: ErrorDetails) => new ServiceError(400, "Invalid query parameters", details),
  MalformedJson: () => new ServiceError(400, "Malformed JSON in request body"),
  InvalidPaging: (details?: ErrorDetails) => new ServiceError(400, "Invalid page or limit parameter", details),
  NoFile: (reason: string) => new ServiceError(400, "No file uploaded", { file: reason }),
  InvalidFile: (reason: string) => new ServiceError(400, "Invalid file", { file: reason }),
  MalformedMultipart: (reason: string) => new ServiceError(400, "Malformed multipart body", { body: reason }),
  ChunkedForm: () => new ServiceError(400, "Chunked forms are not supported; use tus"),
  InvalidIdempotencyKey: (reason: string) =>
    new ServiceError(400, "Invalid Idempotency-Key", { "Idempotency-Key": reason }),
  TooManyFiles: (maxFiles: number) => new ServiceError(400, "Too many files in one request", { maxFiles }),
  MalformedUrl: () => new ServiceError(400, "Malformed URL"),
  InvalidFolder: (details: ErrorDetails) => new ServiceError(400, "Invalid folder", details),
  UploadKeyNotForTier: () => new ServiceError(400, "Upload keys are for the Free and Starter tiers"),
  TooManyOf: (what: string, max: number) =>
    new ServiceError(400, `An account can have at most ${max} ${what}`, { max }),
  // 401
  AuthorizationRequired: () =>
    new ServiceError(401, "Authorization header is required", undefined, { "WWW-Authenticate": "Bearer" }),
  BearerRequired: () =>
    new ServiceError(401, "Authorization must use Bearer scheme", undefined, { "WWW-Authenticate": "Bearer" }),
  InvalidKey: () =>
    new ServiceError(401, "Invalid or missing API key", undefined, {
      "WWW-Authenticate": 'Bearer error="invalid_token"',
    }),
  InvalidSession: () =>
    new ServiceError(401, "Unauthorized", undefined, { "WWW-Authenticate": 'Bearer error="invalid_token"' }),
  WrongCredentials: () => new ServiceError(401, "Wrong email or password"),
  // 403
  ApiTierRequired: () => new ServiceError(403, "API access requires Pro or Business tier"),
  SessionRequired: () => new ServiceError(403, "This endpoint needs a login session"),
  ScopeRequired: (scope: string) => new ServiceError(403, "The API key lacks a scope", { scope }),
  ForeignImageDelete: () => new ServiceError(403, "You don't have permission to delete this image"),
  ForeignImage: () => new ServiceError(403, "You don't have permission to access this image"),
  WrongPassword: () => new ServiceError(403, "Wrong password"),
  RegistrationClosed: () => new ServiceError(403, "Registration is closed"),
  InvitationRequired: () => new ServiceError(403, "Registration is by invitation only"),
  ChallengeFailed: (reason: string) =>
    new ServiceError(403, "The challenge was not passed", { turnstileToken: reason }),
  InvalidPreviewToken: () => new ServiceError(403, "The preview's token is missing, wrong or expired"),
  // 404, 405
  ImageNotFound: () => new ServiceError(404, "Image not found"),
  PreviewNotFound: () => new ServiceError(404, "There is no preview"),
  FolderNotFound: () => new ServiceError(404, "Folder not found"),
  KeyNotFound: () => new ServiceError(404, "Key not found"),
  AccountNotFound: () => new ServiceError(404, "Account not found"),
  InvitationNotFound: () => new ServiceError(404, "Invitation not found"),
  WebhookNotFound: () => new ServiceError(404, "No webhook is set"),
  UploadNotFound: () => new ServiceError(404, "Upload not found"),
  ErasureNotFound: () => new ServiceError(404, "Erasure not found"),
  ShardNotFound: () => new ServiceError(404, "Shard not found"),
  FileNotFound: () => new ServiceError(404, "File not found"),
  NotFound: () => new ServiceError(404, "Not found"),
  MethodNotAllowed: (allow: string) => new ServiceError(405, "Method not allowed", undefined, { Allow: allow }),
  // 408, 409, 412, 413, 414, 415, 416, 423
  UploadStalled: () => new ServiceError(408, "The upload stalled"),
  UploadKeyReplaced: () => new ServiceError(409, "The upload key was regenerated again meanwhile"),
  EmailTaken: () => new ServiceError(409, "An account with this email exists already"),
  RequestUnderWay: (retryAfterSeconds: number) =>
    retryable(409, "The request with this Idempotency-Key is under way", { retryAfter: retryAfterSeconds }),
  UnknownMigrations: (database: string, migrations: readonly string[]) =>
    new ServiceError(409, "A database is of another version of the service", { database, migrations }),
  /** tus 1.0.0, PATCH. */
  OffsetConflict: (offset: number) =>
    new ServiceError(
      409,
      "The bytes begin elsewhere than the upload ends",
      { offset },
      { "Upload-Offset": String(offset) },
    ),
  /** tus 1.0.0, Tus-Version. */
  ProtocolVersion: (version: string) =>
    new ServiceError(412, "Another version of tus is needed", { supported: [version] }, { "Tus-Version": version }),
  PreconditionFailed: () => new ServiceError(412, "Precondition failed"),
  StorageLimit: (usedBytes: number, limitBytes: number) =>
    new ServiceError(
      413,
      `Storage limit exceeded. You've used ${gigabytes(usedBytes)} GB of ${gigabytes(limitBytes)} GB.`,
      { usedBytes, limitBytes },
    ),
  BodyTooLarge: (maxBytes: number) => new ServiceError(413, "Request body too large", { maxBytes }),
  UploadTooLong: (maxBytes: number) => new ServiceError(413, "The upload is too long", { maxBytes }),
  KeyTooLong: () => new ServiceError(414, "URI too long"),
  UnsupportedType: (detected: string) =>
    new ServiceError(415, "Only images and videos are allowed", { detected, supported: MEDIA_TYPES }),
  OffsetTypeRequired: () => new ServiceError(415, "Content-Type must be application/offset+octet-stream"),
  JsonRequired: () => new ServiceError(415, "Content-Type must be application/json"),
  RangeNotSatisfiable: (sizeBytes: number) =>
    new ServiceError(416, "Range not satisfiable", { size: sizeBytes }, { "Content-Range": `bytes */${sizeBytes}` }),
  // 422
  IdempotencyKeyReused: () => new ServiceError(422, "This Idempotency-Key was sent with another request"),
  // 423
  /** Another request writes to the upload, or it is being finished. */
  UploadHeld: (retryAfterSeconds: number) =>
    retryable(423, "Another request writes to this upload", { retryAfter: retryAfterSeconds }),
  // 429
  RateLimited: (retryAfterSeconds: number) => tooMany("rate", "Rate limit exceeded", retryAfterSeconds),
  OperationsExhausted: (retryAfterSeconds: number) =>
    tooMany("operations", "Monthly operations limit reached", retryAfterSeconds),
  TooManyAttempts: (retryAfterSeconds: number) => tooMany("attempts", "Too many attempts", retryAfterSeconds),
  // 5xx
  Internal: () => new ServiceError(500, "An internal error occurred. Please try again."),
  Unavailable: (retryAfterSeconds: number) =>
    retryable(503, "Service temporarily unavailable", { retryAfter: retryAfterSeconds }),
} as const;
