import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS, ServiceError } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { takeAddressRate } from "../../services/addresses/take-address-rate.ts";
import type { AppEnv } from "../app-env.ts";

const RETRY_AFTER_SECONDS = 5;

/**
 * Answers every error in the documented shape (ERR-1). An unforeseen error is logged with its request and answered as a
 * plain 500 (ERR-5).
 */
export async function handleError(error: Error, c: Context<AppEnv>): Promise<Response> {
  const answer = withRequestId(await meterStranger(toServiceError(error, c), c), c);
  for (const [name, value] of Object.entries(answer.headers)) c.header(name, value);
  c.header("Cache-Control", "no-store");
  return c.json(answer.toBody(), answer.statusCode as ContentfulStatusCode);
}

/** The id names the request when a person reports a 500. */
function withRequestId(answer: ServiceError, { var: { requestId } }: Context<AppEnv>): ServiceError {
  return answer.code === "internal_error" && requestId !== undefined ? answer.withDetails({ requestId }) : answer;
}

function toServiceError(error: Error, c: Context<AppEnv>): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof HTTPException && error.status === 400) return ERRORS.MalformedJson();
  if (error instanceof HTTPException && error.status === 415) return ERRORS.JsonRequired();
  // Requests for files have no log line of their own.
  if (c.var.requestId === undefined) console.error(toLogLine("request", {}, error));
  else c.set("failure", error);
  return isDependencyFailure(error) ? ERRORS.Unavailable(RETRY_AFTER_SECONDS) : ERRORS.Internal();
}

/** An error without an account counts against the address, so that guessing keys is limited. */
async function meterStranger(error: ServiceError, c: Context<AppEnv>): Promise<ServiceError> {
  if (c.var.account !== undefined || error.statusCode >= 500) return error;
  try {
    await takeAddressRate(c.var.services, c.var.client);
    return error;
  } catch (limited) {
    return limited instanceof ServiceError ? limited : error;
  }
}

/** The depth to which an error's `cause` is examined. */
const MAX_DEPTH = 5;

/**
 * A library that was being moved to another shard for too long, or has just arrived there. Errors of Durable Objects arrive with only their
 * message.
 */
const LIBRARY_MOVED = /The library (is moving to|has left for) another shard/;

/** Flags that the runtime sets on errors of Durable Objects. */
const DURABLE_OBJECT_FLAGS = ["retryable", "overloaded", "durableObjectReset"];

/**
 * Whether D1, R2, a Durable Object or a queue failed, and not this code: worth a 503 and a retry. The platform has no classes for these
 * errors, so this looks for documented marks: `D1_ERROR` messages, R2's five-digit error codes, and the flags on errors of Durable Object
 * stubs.
 */
function isDependencyFailure(error: unknown): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < MAX_DEPTH && current instanceof Error; depth++) {
    if (/constraint failed/i.test(current.message)) return false;
    if (/^D1_|D1_ERROR|^Failed query|Network connection lost|internal error; reference/i.test(current.message))
      return true;
    if (LIBRARY_MOVED.test(current.message)) return true;
    if (/\(\d{5}\)\.?$|^Queue send(Batch)? failed/.test(current.message)) return true;
    if (DURABLE_OBJECT_FLAGS.some((flag) => flag in (current as Error))) return true;
    current = current.cause;
  }
  return false;
}
