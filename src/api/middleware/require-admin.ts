import type { Context, MiddlewareHandler } from "hono";
import { ERRORS } from "../../domain/errors.ts";
import { takeAddressRate } from "../../services/addresses/take-address-rate.ts";
import { secretsEqual } from "../../services/auth/secrets.ts";
import type { AppEnv } from "../app-env.ts";
import { readBearer } from "./access.ts";
import { recordAround } from "./record-around.ts";

/**
 * Guard: the bearer token must be ADMIN_TOKEN. Each action is recorded in the audit log before it is carried out.
 * @param action the operation's id; undefined if the endpoint only reads
 * @throws ServiceError 401, 429, 503
 */
export function requireAdmin(action?: string): MiddlewareHandler<AppEnv> {
  return async function requireAdmin(c, next) {
    // Only other requests count against their address, because a backup makes thousands a minute.
    if (!(await isFromOperator(c))) {
      await takeAddressRate(c.var.services, c.var.client);
      const header = c.req.header("Authorization");
      if (header === undefined) throw ERRORS.AuthorizationRequired();
      readBearer(header);
      throw ERRORS.InvalidKey();
    }
    if (action === undefined) return next();
    return recordAround(c, action, next);
  };
}

/** Whether a request to an open endpoint carries the operator's token. */
export async function isFromOperator(c: Context<AppEnv>): Promise<boolean> {
  const [scheme, token = ""] = (c.req.header("Authorization") ?? "").split(" ", 2);
  if (scheme?.toLowerCase() !== "bearer") return false;
  for (const secret of c.var.services.config.adminToken.accepted) if (await secretsEqual(token, secret)) return true;
  return false;
}
