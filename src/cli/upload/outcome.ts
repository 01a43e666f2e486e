import type { MediaHostError, UploadResult } from "../../client/index.ts";
import type { KnownUpload } from "./known-uploads.ts";

/** The outcome of a file. `known`: the service already had its bytes. */
export type Outcome =
  | { readonly path: string; readonly status: "stored"; readonly result: UploadResult; readonly sizeBytes: number }
  | { readonly path: string; readonly status: "known"; readonly result: KnownUpload; readonly sizeBytes: number }
  | { readonly path: string; readonly status: "would-send"; readonly sizeBytes: number }
  | { readonly path: string; readonly status: "failed"; readonly error: Failure };

export interface Failure {
  readonly error: string;
  /** The service's status; 0 without an answer, undefined without a request. */
  readonly statusCode?: number;
  /** The service's stable name of the error. */
  readonly code?: MediaHostError["code"];
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The service's message and details. */
export function toFailure(error: MediaHostError): Failure {
  const { message, statusCode, code, details } = error;
  return { error: message, statusCode, ...(code && { code }), ...(details && { details }) };
}

/** A line for people. */
export function failureText({ error, statusCode, details }: Failure): string {
  const status = statusCode ? `${statusCode} ` : "";
  return `${status}${error}${details === undefined ? "" : ` ${JSON.stringify(details)}`}`;
}

/** A line for programs. */
export function toJson(outcome: Outcome): object {
  const { path, status } = outcome;
  if (outcome.status === "failed") return { path, status, ...outcome.error };
  return "result" in outcome ? { path, status, ...outcome.result } : { path, status, fileSize: outcome.sizeBytes };
}
