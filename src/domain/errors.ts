import type { RestrictedVariants } from "./file-rules.ts";
import { MEDIA_TYPES, type MediaType } from "./media-types.ts";
import { BYTES_PER_GB } from "./tiers.ts";
import type { UploadTokenLimits } from "./upload-token.ts";

/** Every error that a client can receive. The exact messages of docs/contract.md (ERR-2) are defined only here. */

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** Stable names of errors for programs (ERR-1), one for each row of the error table. */
export const ERROR_CODES = [
  "file_missing",
  "invalid_link",
  "file_invalid",
  "invalid_paging",
  "invalid_cursor",
  "invalid_query",
  "invalid_request",
  "malformed_json",
  "malformed_multipart",
  "chunked_form",
  "invalid_idempotency_key",
  "too_many_files",
  "malformed_url",
  "invalid_folder",
  "upload_key_not_for_tier",
  "count_limit_reached",
  "authorization_required",
  "bearer_required",
  "invalid_key",
  "key_expired",
  "invalid_session",
  "wrong_credentials",
  "second_factor_required",
  "api_tier_required",
  "session_required",
  "cross_site_request",
  "https_required",
  "scope_required",
  "key_confined",
  "upload_token_only",
  "upload_token_used_up",
  "origin_not_allowed",
  "image_not_yours",
  "wrong_password",
  "wrong_code",
  "passkey_refused",
  "reauthentication_required",
  "account_suspended",
  "operator_required",
  "operator_account",
  "registration_closed",
  "mail_not_set_up",
  "invitation_required",
  "challenge_failed",
  "invalid_preview_token",
  "files_suspended",
  "hotlink_refused",
  "variant_refused",
  "invalid_signature",
  "signature_required",
  "signature_expired",
  "image_not_found",
  "preview_not_found",
  "folder_not_found",
  "key_not_found",
  "upload_token_not_found",
  "share_not_found",
  "session_not_found",
  "passkey_not_found",
  "totp_not_found",
  "account_not_found",
  "invitation_not_found",
  "preset_not_found",
  "saved_search_not_found",
  "webhook_not_found",
  "delivery_not_found",
  "upload_not_found",
  "import_not_found",
  "erasure_not_found",
  "shard_not_found",
  "file_not_found",
  "frame_not_found",
  "not_found",
  "method_not_allowed",
  "upload_stalled",
  "upload_key_replaced",
  "email_taken",
  "email_unverified",
  "external_id_taken",
  "image_in_trash",
  "image_not_in_trash",
  "totp_in_use",
  "request_in_progress",
  "schema_too_new",
  "installation_not_empty",
  "restore_not_begun",
  "offset_conflict",
  "tus_version_unsupported",
  "precondition_failed",
  "storage_limit_exceeded",
  "body_too_large",
  "upload_too_large",
  "uri_too_long",
  "unsupported_media_type",
  "type_not_allowed",
  "content_blocked",
  "taken_down",
  "takedown_not_found",
  "report_not_found",
  "bytes_destroyed",
  "offset_type_required",
  "json_required",
  "range_not_satisfiable",
  "idempotency_key_reused",
  "upload_locked",
  "source_not_allowed",
  "source_failed",
  "rate_limited",
  "preview_in_progress",
  "preview_time_exhausted",
  "operations_exhausted",
  "too_many_attempts",
  "too_many_uploads",
  "internal_error",
  "service_unavailable",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorBody {
  readonly error: string;
  readonly statusCode: number;
  /** For programs, and never changes. `error` is for people and may change. */
  readonly code: ErrorCode;
  readonly details?: ErrorDetails;
}

interface ErrorOptions {
  readonly details?: ErrorDetails | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ServiceError extends Error {
  readonly statusCode: number;
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: number, code: ErrorCode, message: string, { details, headers = {} }: ErrorOptions = {}) {
    super(message);
    this.name = "ServiceError";
    this.statusCode = statusCode;
    this.code = code;
    this.details = details;
    this.headers = headers;
  }

  /** The body of every error (ERR-1). */
  toBody(): ErrorBody {
    const { message, statusCode, code, details } = this;
    return { error: message, statusCode, code, ...(details === undefined ? {} : { details }) };
  }

  /** A copy with `more` added to the details. */
  withDetails(more: ErrorDetails): ServiceError {
    const { statusCode, code, message, headers } = this;
    return new ServiceError(statusCode, code, message, { details: { ...this.details, ...more }, headers });
  }
}

/**
 * The limit that a 429 has reached (`details.reason`). `rate`: requests in a period, or the allowance for changes (LIM-10).
 * `operations`: the month's. `attempts`: actions in a longer period, for example log-ins. `preview`: compression previews
 * at once, or their CPU time in a day. `uploads`: uploads in progress.
 */
export type LimitReason = "rate" | "operations" | "attempts" | "preview" | "uploads";

/**
 * Why a source of an import failed (`details.reason`). `status`: its status is not 200. `connection`, `dns`: it was not reached. `stalled`: it
 * stopped sending, or sends too slowly. `redirects`: too many, or from https to http. `length`: it sent fewer or more bytes than it declared.
 * `encoding`: it compressed the file although the request forbids that. `changed`: the file changed while it was fetched. `interrupted`: the
 * service itself was interrupted too often.
 */
export type SourceFault =
  | "status"
  | "connection"
  | "dns"
  | "stalled"
  | "redirects"
  | "length"
  | "encoding"
  | "changed"
  | "interrupted";

function tooMany(reason: LimitReason, code: ErrorCode, message: string, retryAfterSeconds: number): ServiceError {
  return retryable(429, code, message, { reason, retryAfter: retryAfterSeconds });
}

function retryable(
  statusCode: 409 | 423 | 429 | 503,
  code: ErrorCode,
  message: string,
  details: ErrorDetails & { readonly retryAfter: number },
): ServiceError {
  return new ServiceError(statusCode, code, message, {
    details,
    headers: { "Retry-After": String(details.retryAfter) },
  });
}

/** RFC 6750, 3. */
function unauthorized(code: ErrorCode, message: string, challenge = "Bearer"): ServiceError {
  return new ServiceError(401, code, message, { headers: { "WWW-Authenticate": challenge } });
}

const INVALID_TOKEN = 'Bearer error="invalid_token"';

function gigabytes(bytes: number): string {
  return (bytes / BYTES_PER_GB).toFixed(2).replace(/\.?0+$/, "");
}

export const ERRORS = {
  // 400
  InvalidRequest: (details: ErrorDetails) => new ServiceError(400, "invalid_request", "Invalid request", { details }),
  InvalidQuery: (details: ErrorDetails) =>
    new ServiceError(400, "invalid_query", "Invalid query parameters", { details }),
  InvalidLink: () => new ServiceError(400, "invalid_link", "The link or code is invalid, expired or used"),
  MalformedJson: () => new ServiceError(400, "malformed_json", "Malformed JSON in request body"),
  InvalidPaging: (details?: ErrorDetails) =>
    new ServiceError(400, "invalid_paging", "Invalid page or limit parameter", { details }),
  InvalidCursor: () =>
    new ServiceError(400, "invalid_cursor", "Invalid cursor", {
      details: { cursor: "Not a `nextCursor` of this list with the same filters" },
    }),
  NoFile: (reason: string) => new ServiceError(400, "file_missing", "No file uploaded", { details: { file: reason } }),
  InvalidFile: (reason: string) => new ServiceError(400, "file_invalid", "Invalid file", { details: { file: reason } }),
  MalformedMultipart: (reason: string) =>
    new ServiceError(400, "malformed_multipart", "Malformed multipart body", { details: { body: reason } }),
  ChunkedForm: () => new ServiceError(400, "chunked_form", "Chunked forms are not supported; use tus"),
  InvalidIdempotencyKey: (reason: string) =>
    new ServiceError(400, "invalid_idempotency_key", "Invalid Idempotency-Key", {
      details: { "Idempotency-Key": reason },
    }),
  TooManyFiles: (maxFiles: number) =>
    new ServiceError(400, "too_many_files", "Too many files in one request", { details: { maxFiles } }),
  MalformedUrl: () => new ServiceError(400, "malformed_url", "Malformed URL"),
  InvalidFolder: (details: ErrorDetails) => new ServiceError(400, "invalid_folder", "Invalid folder", { details }),
  UploadKeyNotForTier: () =>
    new ServiceError(400, "upload_key_not_for_tier", "Upload keys are for the Free and Starter tiers"),
  TooManyOf: (things: string, max: number) =>
    new ServiceError(400, "count_limit_reached", `An account can have at most ${max} ${things}`, { details: { max } }),
  // 401
  AuthorizationRequired: () => unauthorized("authorization_required", "Authorization header is required"),
  BearerRequired: () => unauthorized("bearer_required", "Authorization must use Bearer scheme"),
  InvalidKey: () => unauthorized("invalid_key", "Invalid or missing API key", INVALID_TOKEN),
  KeyExpired: () => unauthorized("key_expired", "The API key has expired", INVALID_TOKEN),
  InvalidSession: () => unauthorized("invalid_session", "Unauthorized", INVALID_TOKEN),
  WrongCredentials: () => new ServiceError(401, "wrong_credentials", "Wrong email or password"),
  SecondFactorRequired: () =>
    new ServiceError(401, "second_factor_required", "A code of the authenticator app is required", {
      details: { code: "A code of your authenticator app, or a recovery code" },
    }),
  // 403
  ApiTierRequired: () => new ServiceError(403, "api_tier_required", "API access requires Pro or Business tier"),
  SessionRequired: () => new ServiceError(403, "session_required", "This endpoint requires a login session"),
  ForeignOrigin: () =>
    new ServiceError(
      403,
      "cross_site_request",
      "Cross-site request with a session cookie: send the token as `Authorization`",
    ),
  HttpsRequired: () => new ServiceError(403, "https_required", "Use https"),
  ScopeRequired: (scope: string) =>
    new ServiceError(403, "scope_required", "The API key lacks a required scope", { details: { scope } }),
  KeyConfined: () => new ServiceError(403, "key_confined", "The API key is confined to a folder"),
  UploadTokenOnly: () => new ServiceError(403, "upload_token_only", "An upload token can only upload"),
  UploadTokenUsedUp: (limit: Partial<Pick<UploadTokenLimits, "maxFiles" | "maxBytes">>) =>
    new ServiceError(403, "upload_token_used_up", "The upload token is used up", { details: limit }),
  OriginNotAllowed: (origin: string) =>
    new ServiceError(403, "origin_not_allowed", "The upload token is not for pages of this origin", {
      details: { origin },
    }),
  ForeignImageDelete: () => new ServiceError(403, "image_not_yours", "You don't have permission to delete this image"),
  ForeignImage: () => new ServiceError(403, "image_not_yours", "You don't have permission to access this image"),
  WrongPassword: () => new ServiceError(403, "wrong_password", "Wrong password"),
  WrongCode: () => new ServiceError(403, "wrong_code", "Wrong code"),
  PasskeyRefused: () => new ServiceError(403, "passkey_refused", "The passkey is unknown or its answer is not valid"),
  ReauthenticationRequired: () =>
    new ServiceError(403, "reauthentication_required", "Confirm your password to make this change"),
  AccountSuspended: (reason: string) =>
    new ServiceError(403, "account_suspended", "The operator has suspended this account", { details: { reason } }),
  OperatorRequired: () =>
    new ServiceError(403, "operator_required", "This endpoint requires the operator's mark on the account"),
  OperatorAccount: () =>
    new ServiceError(
      403,
      "operator_account",
      "Only the operator's token may change an account with the operator's mark",
    ),
  MailNotSetUp: () => new ServiceError(403, "mail_not_set_up", "This service sends no mail"),
  RegistrationClosed: () => new ServiceError(403, "registration_closed", "Registration is closed"),
  InvitationRequired: () =>
    new ServiceError(403, "invitation_required", "Registration needs the code of an invitation to this address"),
  ChallengeFailed: (reason: string) =>
    new ServiceError(403, "challenge_failed", "The anti-bot check failed", { details: { turnstileToken: reason } }),
  InvalidPreviewToken: () =>
    new ServiceError(403, "invalid_preview_token", "The preview token is missing, wrong or expired"),
  FilesSuspended: () => new ServiceError(403, "files_suspended", "The files of this account are suspended"),
  HotlinkRefused: () => new ServiceError(403, "hotlink_refused", "This page may not show the file"),
  VariantRefused: (variants: RestrictedVariants) =>
    new ServiceError(403, "variant_refused", "The owner does not offer this size or format", { details: { variants } }),
  InvalidSignature: () => new ServiceError(403, "invalid_signature", "The URL's signature is not valid"),
  SignatureRequired: () =>
    new ServiceError(403, "signature_required", "The file is private; its URL needs a signature"),
  SignatureExpired: () => new ServiceError(403, "signature_expired", "The URL's signature has expired"),
  // 404, 405
  ImageNotFound: () => new ServiceError(404, "image_not_found", "Image not found"),
  PreviewNotFound: () => new ServiceError(404, "preview_not_found", "No preview"),
  FolderNotFound: () => new ServiceError(404, "folder_not_found", "Folder not found"),
  KeyNotFound: () => new ServiceError(404, "key_not_found", "Key not found"),
  UploadTokenNotFound: () => new ServiceError(404, "upload_token_not_found", "Upload token not found"),
  ShareNotFound: () => new ServiceError(404, "share_not_found", "Share not found"),
  SessionNotFound: () => new ServiceError(404, "session_not_found", "Session not found"),
  PasskeyNotFound: () => new ServiceError(404, "passkey_not_found", "Passkey not found"),
  TotpNotFound: () => new ServiceError(404, "totp_not_found", "The account has no authenticator app"),
  AccountNotFound: () => new ServiceError(404, "account_not_found", "Account not found"),
  InvitationNotFound: () => new ServiceError(404, "invitation_not_found", "Invitation not found"),
  SavedSearchNotFound: () => new ServiceError(404, "saved_search_not_found", "Saved search not found"),
  PresetNotFound: () => new ServiceError(404, "preset_not_found", "Preset not found"),
  WebhookNotFound: () => new ServiceError(404, "webhook_not_found", "No webhook is set"),
  DeliveryNotFound: () => new ServiceError(404, "delivery_not_found", "Delivery not found"),
  ImportNotFound: () => new ServiceError(404, "import_not_found", "Import not found"),
  UploadNotFound: () => new ServiceError(404, "upload_not_found", "Upload not found"),
  ErasureNotFound: () => new ServiceError(404, "erasure_not_found", "Erasure not found"),
  ShardNotFound: () => new ServiceError(404, "shard_not_found", "Shard not found"),
  TakedownNotFound: () => new ServiceError(404, "takedown_not_found", "Takedown not found"),
  ReportNotFound: () => new ServiceError(404, "report_not_found", "Report not found"),
  BytesDestroyed: () => new ServiceError(409, "bytes_destroyed", "The file's bytes are destroyed"),
  FrameNotFound: () => new ServiceError(404, "frame_not_found", "The video's frame is not available"),
  FileNotFound: () => new ServiceError(404, "file_not_found", "File not found"),
  NotFound: () => new ServiceError(404, "not_found", "Not found"),
  MethodNotAllowed: (allow: string) =>
    new ServiceError(405, "method_not_allowed", "Method not allowed", { headers: { Allow: allow } }),
  // Errors with the statuses 408, 409, 412, 413, 414, 415, 416 and 423.
  UploadStalled: () => new ServiceError(408, "upload_stalled", "The upload stalled"),
  UploadKeyReplaced: () => new ServiceError(409, "upload_key_replaced", "Another request regenerated the upload key"),
  EmailUnverified: () =>
    new ServiceError(409, "email_unverified", "The account's e-mail is not verified. Send its id as accountId."),
  TotpInUse: () => new ServiceError(409, "totp_in_use", "The account has an authenticator app already"),
  ImageInTrash: () => new ServiceError(409, "image_in_trash", "The file is in the trash; restore it first"),
  ImageNotInTrash: () => new ServiceError(409, "image_not_in_trash", "The file is not in the trash"),
  EmailTaken: () => new ServiceError(409, "email_taken", "An account with this email already exists"),
  RequestInProgress: (retryAfterSeconds: number) =>
    retryable(409, "request_in_progress", "The request with this Idempotency-Key is still in progress", {
      retryAfter: retryAfterSeconds,
    }),
  UnknownMigrations: (database: string, migrations: readonly string[]) =>
    new ServiceError(
      409,
      "schema_too_new",
      "The database has migrations that this version of the service does not know",
      { details: { database, migrations } },
    ),
  InstallationNotEmpty: () =>
    new ServiceError(409, "installation_not_empty", "The installation has accounts, or another restore is in progress"),
  RestoreNotBegun: () => new ServiceError(409, "restore_not_begun", "No restore is in progress"),
  /** @param uploadId the upload that has it; undefined if the caller may not read it */
  ExternalIdTaken: (uploadId: string | undefined) =>
    new ServiceError(409, "external_id_taken", "Another upload has this `externalId`", {
      details: uploadId === undefined ? undefined : { _id: uploadId },
    }),
  /** tus 1.0.0, PATCH. */
  OffsetConflict: (offset: number) =>
    new ServiceError(409, "offset_conflict", "`Upload-Offset` does not match the upload's current offset", {
      details: { offset },
      headers: { "Upload-Offset": String(offset) },
    }),
  /** tus 1.0.0, Tus-Version. */
  ProtocolVersion: (version: string) =>
    new ServiceError(412, "tus_version_unsupported", "This version of tus is not supported", {
      details: { supported: [version] },
      headers: { "Tus-Version": version },
    }),
  PreconditionFailed: () => new ServiceError(412, "precondition_failed", "Precondition failed"),
  StorageLimit: (usedBytes: number, limitBytes: number) =>
    new ServiceError(
      413,
      "storage_limit_exceeded",
      `Storage limit exceeded. You've used ${gigabytes(usedBytes)} GB of ${gigabytes(limitBytes)} GB.`,
      { details: { usedBytes, limitBytes } },
    ),
  BodyTooLarge: (maxBytes: number) =>
    new ServiceError(413, "body_too_large", "Request body too large", { details: { maxBytes } }),
  UploadTooLong: (maxBytes: number) =>
    new ServiceError(413, "upload_too_large", "The upload is larger than allowed", { details: { maxBytes } }),
  KeyTooLong: () => new ServiceError(414, "uri_too_long", "URI too long"),
  UnsupportedType: (detected: string) =>
    new ServiceError(415, "unsupported_media_type", "Only images and videos are allowed", {
      details: { detected, supported: MEDIA_TYPES },
    }),
  TypeNotAllowed: (detected: MediaType, types: readonly string[]) =>
    new ServiceError(415, "type_not_allowed", "The upload token does not allow this type", {
      details: { detected, types },
    }),
  ContentBlocked: () => new ServiceError(415, "content_blocked", "The operator has blocked this file's content"),
  OffsetTypeRequired: () =>
    new ServiceError(415, "offset_type_required", "Content-Type must be application/offset+octet-stream"),
  JsonRequired: () => new ServiceError(415, "json_required", "Content-Type must be application/json"),
  RangeNotSatisfiable: (sizeBytes: number) =>
    new ServiceError(416, "range_not_satisfiable", "Range not satisfiable", {
      details: { size: sizeBytes },
      headers: { "Content-Range": `bytes */${sizeBytes}` },
    }),
  // 422
  IdempotencyKeyReused: () =>
    new ServiceError(422, "idempotency_key_reused", "This Idempotency-Key was already used for a different request"),
  /** An item of an import. */
  SourceNotAllowed: (reason: string) =>
    new ServiceError(422, "source_not_allowed", "The service does not fetch from this address", {
      details: { url: reason },
    }),
  /** An item of an import. @param status the source's, if that is the reason */
  SourceFailed: (reason: SourceFault, status?: number) =>
    new ServiceError(422, "source_failed", "The source did not send the file", {
      details: { reason, ...(status === undefined ? {} : { status }) },
    }),
  // 423
  /** The upload is being written to by another request, or is being completed. */
  UploadLocked: (retryAfterSeconds: number) =>
    retryable(423, "upload_locked", "Another request is writing to this upload", { retryAfter: retryAfterSeconds }),
  // 429
  RateLimited: (retryAfterSeconds: number) => tooMany("rate", "rate_limited", "Rate limit exceeded", retryAfterSeconds),
  PreviewInProgress: (retryAfterSeconds: number) =>
    tooMany(
      "preview",
      "preview_in_progress",
      "Another compression preview of this account is in progress",
      retryAfterSeconds,
    ),
  PreviewTimeExhausted: (retryAfterSeconds: number) =>
    tooMany("preview", "preview_time_exhausted", "The day's time for previews is used up", retryAfterSeconds),
  OperationsExhausted: (retryAfterSeconds: number) =>
    tooMany("operations", "operations_exhausted", "Monthly operations limit reached", retryAfterSeconds),
  TooManyAttempts: (retryAfterSeconds: number) =>
    tooMany("attempts", "too_many_attempts", "Too many attempts", retryAfterSeconds),
  TooManyUploads: (retryAfterSeconds: number) =>
    tooMany("uploads", "too_many_uploads", "Too many uploads in progress", retryAfterSeconds),
  // 451 (RFC 7725)
  TakenDown: () => new ServiceError(451, "taken_down", "This file was taken down"),
  // 5xx
  Internal: () => new ServiceError(500, "internal_error", "An internal error occurred. Please try again."),
  Unavailable: (retryAfterSeconds: number) =>
    retryable(503, "service_unavailable", "Service temporarily unavailable", { retryAfter: retryAfterSeconds }),
} as const;
