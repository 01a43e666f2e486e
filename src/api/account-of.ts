import type { Context } from "hono";
import type { AccountContext } from "../services/context.ts";
import type { AppEnv } from "./app-env.ts";

/** The account of a request whose endpoint has `requireAccess`. */
export function accountOf(c: Context<AppEnv>): AccountContext {
  const { account } = c.var;
  if (account === undefined) throw new Error("The endpoint does not require an account");
  return account;
}
