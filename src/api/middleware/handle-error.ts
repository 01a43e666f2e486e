import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS, ServiceError } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { takeAddressRate } from "../../services/addresses/take-address-rate.ts";
import type { AppEnv } from "../app-env.ts";
import { isDependencyFailure } from "../dependency-failure.ts";

const RETRY_AFTER_SECONDS = 5;

/** Answers every error in the documented shape. What we did not foresee goes into the request's line of the log, and is told as a plain 500. */
export async function handleError(error: Error, c: Context<AppEnv>): Promise<Response> {
  const answer = withRequestId(await meterStranger(toServiceError(error, c), c), c);
  for (const [name, value] of Object.entries(answer.headers)) c.header(name, value);
  c.header("Cache-Control", "no-store");
  return c.json(answer.toBody(), answer.statusCode as ContentfulStatusCode);
}

/** Whoever asks us about a 500 can name the request. */
function withRequestId(answer: ServiceError, { var: { requestId } }: Context<AppEnv>): ServiceError {
  return answer.statusCode === 500 && requestId !== undefined ? answer.withDetails({ requestId }) : answer;
}

function toServiceError(error: Error, c: Context<AppEnv>): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof HTTPException && error.status === 400) return ERRORS.MalformedJson();
  if (error instanceof HTTPException && error.status === 415) return ERRORS.JsonRequired();
  // Files that pass through have no line of their own.
  if (c.var.requestId === undefined) console.error(toLogLine("request", {}, error));
  else c.set("failure", error);
  return isDependencyFailure(error) ? ERRORS.Unavailable(RETRY_AFTER_SECONDS) : ERRORS.Internal();
}

/** An error that no account answers for counts against the address: guessing keys is limited like everything else. */
async function meterStranger(error: ServiceError, c: Context<AppEnv>): Promise<ServiceError> {
  if (c.var.account !== undefined || error.statusCode >= 500) return error;
  try {
    await takeAddressRate(c.var.services, c.var.client);
    return error;
  } catch (limited) {
    return limited instanceof ServiceError ? limited : error;
  }
}
