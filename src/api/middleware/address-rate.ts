import type { Context } from "hono";
import { ERRORS } from "../../domain/errors.ts";
import type { AppEnv } from "../app-env.ts";
import { clientAddress } from "../client-address.ts";

/**
 * Counts a request against its address's own bucket, once: for what needs no account, and for what claimed one wrongly.
 * @throws ServiceError 429
 */
export async function takeAddressRate(c: Context<AppEnv>): Promise<void> {
  if (c.var.addressRate !== undefined) return;
  const { services } = c.var;
  const admission = await services.addressMeterOf(`ip:${clientAddress(c)}`).admit(services.config.addressRatePerMinute);
  c.set("addressRate", admission.rate);
  if (admission.outcome === "limited") throw ERRORS.RateLimited(admission.retryAfterSeconds);
}
