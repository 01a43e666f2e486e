import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import { takeAddressRate } from "./address-rate.ts";

/** For endpoints that need no account: the address's own bucket is what limits them. */
export const openAccess: MiddlewareHandler<AppEnv> = async function openAccess(c, next) {
  await takeAddressRate(c);
  return next();
};
