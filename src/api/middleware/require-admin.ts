import type { Context, MiddlewareHandler } from "hono";
import { ERRORS } from "../../domain/errors.ts";
import { takeAddressRate } from "../../services/addresses/take-address-rate.ts";
import { secretsEqual } from "../../services/auth/secrets.ts";
import type { AppEnv } from "../app-env.ts";
import { readBearer } from "./require-access.ts";

/** Lets the operator through: the bearer token is ADMIN_TOKEN. @throws ServiceError 401, 429 */
export const requireAdmin: MiddlewareHandler<AppEnv> = async function requireAdmin(c, next) {
  await takeAddressRate(c.var.services, c.var.client);
  const header = c.req.header("Authorization");
  if (header === undefined) throw ERRORS.AuthorizationRequired();
  if (!(await secretsEqual(readBearer(header), c.var.services.config.adminToken))) throw ERRORS.InvalidKey();
  return next();
};

/** Whether a request to an endpoint that is open to all bears the operator's token. */
export async function isFromOperator(c: Context<AppEnv>): Promise<boolean> {
  const [scheme, token = ""] = (c.req.header("Authorization") ?? "").split(" ", 2);
  return scheme?.toLowerCase() === "bearer" && secretsEqual(token, c.var.services.config.adminToken);
}
