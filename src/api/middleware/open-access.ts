import type { MiddlewareHandler } from "hono";
import { takeAddressRate } from "../../services/addresses/take-address-rate.ts";
import type { AppEnv } from "../app-env.ts";
import { identifyCaller } from "./identify-caller.ts";

/**
 * Guard of endpoints that need no account: requests without an account count against their address.
 * @throws ServiceError 429
 */
export const openAccess: MiddlewareHandler<AppEnv> = async function openAccess(c, next) {
  await identifyCaller(c);
  if (c.var.account === undefined) await takeAddressRate(c.var.services, c.var.client);
  return next();
};
