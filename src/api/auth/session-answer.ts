import type { z } from "@hono/zod-openapi";
import type { SessionSchema } from "../../contract/account.ts";
import type { Session } from "../../services/accounts/open-session.ts";
import type { Account } from "../../services/records.ts";
import { toAccountBody } from "../account/to-account-body.ts";

export function toSessionBody(session: Session, account: Account): z.infer<typeof SessionSchema> {
  const { token, expiresAt } = session;
  return { token, expiresAt: new Date(expiresAt).toISOString(), account: toAccountBody(account) };
}
