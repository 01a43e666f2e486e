import type { MiddlewareHandler } from "hono";
import { ERRORS } from "../../domain/errors.ts";
import { secretsEqual } from "../../services/auth/secrets.ts";
import type { AppEnv } from "../app-env.ts";
import { takeAddressRate } from "./address-rate.ts";
import { readBearer } from "./require-access.ts";

/** Lets the operator through: the bearer token is ADMIN_TOKEN. @throws ServiceError 401, 429 */
export const requireAdmin: MiddlewareHandler<AppEnv> = async function requireAdmin(c, next) {
  await takeAddressRate(c);
  const header = c.req.header("Authorization");
  if (header === undefined) throw ERRORS.AuthorizationRequired();
  if (!(await secretsEqual(readBearer(header), c.var.services.config.adminToken))) throw ERRORS.InvalidKey();
  return next();
};
