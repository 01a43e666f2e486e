import type { Context } from "hono";
import { ServiceError } from "../../domain/errors.ts";
import { authenticate } from "../../services/auth/authenticate.ts";
import type { AppEnv } from "../app-env.ts";
import { readBearer } from "./require-access.ts";

/**
 * Finds the account of a request to an open endpoint by the credential in its header: the request then counts against
 * the account, and the answer has the account's headers (LIM-7). A wrong credential counts as none. Cookies are
 * ignored, because browsers send them with every picture and script of a page.
 * @throws ServiceError 429
 */
export async function identifyCaller(c: Context<AppEnv>): Promise<void> {
  const header = c.req.header("Authorization");
  if (header === undefined || c.var.account !== undefined) return;
  try {
    const authentication = await authenticate(readBearer(header), c.var);
    c.set("account", authentication.account);
    if (authentication.outcome === "limited") throw authentication.error;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.statusCode !== 401) throw error;
  }
}
