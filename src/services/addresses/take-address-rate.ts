import { secondsUntil } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Client, Services } from "../context.ts";
import { findUsedUpRate, noteRate } from "./used-up-addresses.ts";

/**
 * Counts a request against its address, once. This is for requests without an account or with a wrong credential.
 * @throws ServiceError 429
 */
export async function takeAddressRate(services: Services, client: Client): Promise<void> {
  if (client.rate !== undefined) return;
  refuseUsedUp(services, client);
  const { addressRatePerMinute } = services.config;
  const admission = await services.addressMeterOf(`ip:${client.address}`).admit(addressRatePerMinute);
  client.rate = admission.rate;
  noteRate(client.address, admission.rate);
  if (admission.outcome === "limited") throw ERRORS.RateLimited(admission.retryAfterSeconds);
}

/**
 * Refuses an address without a call if this isolate knows that its minute is used up.
 * @throws ServiceError 429
 */
export function refuseUsedUp(services: Services, client: Client): void {
  const now = services.now();
  const usedUp = findUsedUpRate(client.address, now);
  if (usedUp === undefined) return;
  client.rate = usedUp;
  throw ERRORS.RateLimited(secondsUntil(usedUp.resetAt, now));
}
