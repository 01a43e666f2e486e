import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS, ServiceError } from "../../domain/errors.ts";
import { takeAddressRate } from "../../services/addresses/take-address-rate.ts";
import type { AppEnv } from "../app-env.ts";
import { isDependencyFailure } from "../dependency-failure.ts";

const RETRY_AFTER_SECONDS = 5;

/** Answers every error in the documented shape. What we did not foresee is logged and told as a plain 500. */
export async function handleError(error: Error, c: Context<AppEnv>): Promise<Response> {
  const answer = await meterStranger(toServiceError(error), c);
  for (const [name, value] of Object.entries(answer.headers)) c.header(name, value);
  c.header("Cache-Control", "no-store");
  return c.json(answer.toBody(), answer.statusCode as ContentfulStatusCode);
}

function toServiceError(error: Error): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof HTTPException && error.status === 400) return ERRORS.MalformedJson();
  if (error instanceof HTTPException && error.status === 415) return ERRORS.JsonRequired();
  console.error(error);
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
