import type { MediaHostError, UploadResult } from "../../client/index.ts";
import type { KnownUpload } from "./known-uploads.ts";

/** What became of a file. `known`: its bytes were there already. */
export type Outcome =
  | { readonly path: string; readonly status: "stored"; readonly result: UploadResult; readonly sizeBytes: number }
  | { readonly path: string; readonly status: "known"; readonly result: KnownUpload; readonly sizeBytes: number }
  | { readonly path: string; readonly status: "would-send"; readonly sizeBytes: number }
  | { readonly path: string; readonly status: "failed"; readonly error: Failure };

export interface Failure {
  readonly error: string;
  /** The service's; 0 where it did not answer, undefined where it was not asked. */
  readonly statusCode?: number;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The service's own words, and what it adds to them. */
export function toFailure(error: MediaHostError): Failure {
  const { message, statusCode, details } = error;
  return { error: statusCode === 0 ? `no answer (${message})` : message, statusCode, ...(details && { details }) };
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
