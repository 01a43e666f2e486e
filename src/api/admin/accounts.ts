import type { z } from "@hono/zod-openapi";
import { ErasureSchema } from "../../contract/account.ts";
import {
  AccountIdParam,
  AccountsQuery,
  AdminAccountSchema,
  EmailParam,
  ListedAccountSchema,
  ListedAccountsSchema,
  OperatorMarkBody,
  TierBody,
  TierChangedSchema,
} from "../../contract/admin.ts";
import { MessageSchema } from "../../contract/common.ts";
import {
  ActionBody,
  AuditQuery,
  AuditSchema,
  NewAddressBody,
  OperatorErasureSchema,
  SuspensionBody,
  SuspensionSchema,
} from "../../contract/operator-actions.ts";
import { PageQuery } from "../../contract/query-parameters.ts";
import { toOperations } from "../../domain/allowance.ts";
import { getErasure } from "../../services/accounts/get-erasure.ts";
import { setTier } from "../../services/accounts/set-tier.ts";
import { showAccount } from "../../services/accounts/show-account.ts";
import { sendPasswordReset, setAccountEmail } from "../../services/operator/account-email.ts";
import { listAccounts, listOperators, markOperator, unmarkOperator } from "../../services/operator/accounts.ts";
import { listAudit, toSubject } from "../../services/operator/audit.ts";
import {
  endSessions,
  eraseAccount,
  suspendAccount,
  unsuspendAccount,
} from "../../services/operator/suspend-account.ts";
import type { Account, Suspension } from "../../services/records.ts";
import { toAccountBody, toErasureBody } from "../account.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toPaging, withCursor } from "./operator-page.ts";

/** The operator's actions on one account, and the log of such actions. */
export const adminAccounts = createRouter();

adminAccounts.openapi(
  guarded("operator", {
    operationId: "listAccounts",
    method: "get",
    path: "/admin/accounts",
    tags: ["operator"],
    summary: "Accounts by e-mail",
    description: "All accounts, those whose e-mail begins with `q`, or the account with the id `q`.",
    request: { query: AccountsQuery },
    responses: { 200: jsonResponse("A page of accounts", ListedAccountsSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listAccounts(c.var.services, c.req.valid("query"));
    return c.json({ accounts: rows.map(toListedAccount), pagination: { nextCursor } }, 200);
  },
);

adminAccounts.openapi(
  guarded("admin", {
    operationId: "listOperators",
    method: "get",
    path: "/admin/operators",
    tags: ["operator"],
    summary: "Accounts with the operator's mark",
    description: "Their sessions may use the operator's room of the dashboard.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("A page, by id", ListedAccountsSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listOperators(c.var.services, c.req.valid("query"));
    return c.json({ accounts: rows.map(toListedAccount), pagination: { nextCursor } }, 200);
  },
);

adminAccounts.openapi(
  guarded("admin", {
    operationId: "markOperator",
    method: "post",
    path: "/admin/accounts/{email}/mark-operator",
    tags: ["operator"],
    summary: "Give an account the operator's mark",
    description:
      "Its sessions may use the operator's room of the dashboard. An account whose e-mail is not verified needs `accountId`.",
    request: { params: EmailParam, body: jsonBody(OperatorMarkBody) },
    responses: { 200: jsonResponse("The account", ListedAccountSchema), ...errorResponses(404, 409) },
  }),
  async (c) => {
    const { accountId } = c.req.valid("json");
    const account = await markOperator(c.var.services, c.req.valid("param").email, accountId);
    return c.json(toListedAccount(account), 200);
  },
);

adminAccounts.openapi(
  guarded("admin", {
    operationId: "unmarkOperator",
    method: "post",
    path: "/admin/accounts/{email}/unmark-operator",
    tags: ["operator"],
    summary: "Take the operator's mark from an account",
    description: "The next request of its sessions to an endpoint of the operator is 403 `operator_required`.",
    request: { params: EmailParam, body: jsonBody(ActionBody) },
    responses: { 200: jsonResponse("The account", ListedAccountSchema), ...errorResponses(404) },
  }),
  async (c) => c.json(toListedAccount(await unmarkOperator(c.var.services, c.req.valid("param").email)), 200),
);

adminAccounts.openapi(
  guarded("operator", {
    operationId: "getAccountForOperator",
    method: "get",
    path: "/admin/accounts/{email}",
    tags: ["operator"],
    summary: "An account and its figures",
    description: "Its tier, storage, operations and state.",
    request: { params: EmailParam },
    responses: { 200: jsonResponse("The account", AdminAccountSchema), ...errorResponses(400, 404) },
  }),
  async (c) => {
    const { account, figures, suspension } = await showAccount(c.var.services, c.req.valid("param").email);
    return c.json(
      {
        ...toListedAccount(account),
        operations: {
          used: toOperations(figures.operationsUsedTenths),
          limit: figures.operationsLimit,
          resetAt: new Date(figures.operationsResetAt).toISOString(),
        },
        storage: { used: figures.storageUsedBytes, limit: figures.storageLimitBytes },
        suspension: suspension === undefined ? null : toSuspensionBody(suspension),
      },
      200,
    );
  },
);

adminAccounts.openapi(
  guarded("operator", {
    operationId: "setTier",
    method: "put",
    path: "/admin/accounts/{email}",
    tags: ["operator"],
    summary: "Move an account to a tier",
    description:
      "Keys of the other kind stop working, and work again if the tier comes back. An upgrade of an account whose e-mail is not verified needs `accountId`. A session gets no `uploadKey`.",
    request: { params: EmailParam, body: jsonBody(TierBody) },
    responses: {
      200: jsonResponse("The account, and its upload key if a new one was created", TierChangedSchema),
      ...errorResponses(404, 409),
    },
  }),
  async (c) => {
    const { account, uploadKey } = await setTier(c.var.services, c.req.valid("param").email, c.req.valid("json"));
    // A session of an account with the mark must not get another account's key.
    const shownKey = c.var.account === undefined ? uploadKey : undefined;
    return c.json({ ...toAccountBody(account), ...(shownKey === undefined ? {} : { uploadKey: shownKey }) }, 200);
  },
);

adminAccounts.openapi(
  guarded("admin", {
    operationId: "setAccountEmail",
    method: "post",
    path: "/admin/accounts/{email}/set-email",
    tags: ["operator"],
    summary: "Give an account another address",
    description: "The address counts as verified, and no mail is sent. Sessions and keys stay.",
    request: { params: EmailParam, body: jsonBody(NewAddressBody) },
    responses: { 200: jsonResponse("The address is set", MessageSchema), ...errorResponses(404, 409) },
  }),
  async (c) => {
    await setAccountEmail(c.var.services, c.req.valid("param").email, c.req.valid("json").email);
    return c.json({ message: "The address is set" }, 200);
  },
);

adminAccounts.openapi(
  guarded("admin", {
    operationId: "sendPasswordReset",
    method: "post",
    path: "/admin/accounts/{email}/send-reset",
    tags: ["operator"],
    summary: "Mail an account a link to a new password",
    description:
      "This endpoint and `POST /auth/password/forgot` together send an address at most three mails in half an hour.",
    request: { params: EmailParam, body: jsonBody(ActionBody) },
    responses: { 200: jsonResponse("A mail is on its way", MessageSchema), ...errorResponses(403, 404) },
  }),
  async (c) => {
    await sendPasswordReset(c.var.services, c.req.valid("param").email);
    return c.json({ message: "A mail is on its way" }, 200);
  },
);

adminAccounts.openapi(
  guarded("operator", {
    operationId: "endSessions",
    method: "post",
    path: "/admin/accounts/{email}/end-sessions",
    tags: ["operator"],
    summary: "End every session of an account",
    description: "Keys stay valid. The account can log in again.",
    request: { params: EmailParam, body: jsonBody(ActionBody) },
    responses: { 200: jsonResponse("Sessions ended", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await endSessions(c.var.services, c.req.valid("param").email);
    return c.json({ message: "Sessions ended" }, 200);
  },
);

adminAccounts.openapi(
  guarded("operator", {
    operationId: "suspendAccount",
    method: "post",
    path: "/admin/accounts/{email}/suspend",
    tags: ["operator"],
    summary: "Stop an account's sessions and keys",
    description:
      "They answer 403 `account_suspended` at once. Nothing is deleted. A second call replaces the reason and `serveFiles`.",
    request: { params: EmailParam, body: jsonBody(SuspensionBody) },
    responses: { 200: jsonResponse("The suspension", SuspensionSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { reason, serveFiles } = c.req.valid("json");
    const suspension = await suspendAccount(c.var.services, c.req.valid("param").email, { reason, serveFiles });
    return c.json(toSuspensionBody(suspension), 200);
  },
);

adminAccounts.openapi(
  guarded("operator", {
    operationId: "unsuspendAccount",
    method: "post",
    path: "/admin/accounts/{email}/unsuspend",
    tags: ["operator"],
    summary: "Let a suspended account continue",
    description: "Its sessions and keys work again, and so do its files' URLs.",
    request: { params: EmailParam, body: jsonBody(ActionBody) },
    responses: { 200: jsonResponse("Not suspended", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await unsuspendAccount(c.var.services, c.req.valid("param").email);
    return c.json({ message: "Not suspended" }, 200);
  },
);

adminAccounts.openapi(
  guarded("operator", {
    operationId: "eraseAccount",
    method: "post",
    path: "/admin/accounts/{email}/erase",
    tags: ["operator"],
    summary: "Erase an account with every file and row",
    description: "As `DELETE /account` does. Bytes that a takedown keeps stay until their time.",
    request: { params: EmailParam, body: jsonBody(ActionBody) },
    responses: { 200: jsonResponse("The progress", OperatorErasureSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { accountId, erasure } = await eraseAccount(c.var.services, c.req.valid("param").email);
    return c.json({ accountId, ...toErasureBody(erasure) }, 200);
  },
);

adminAccounts.openapi(
  guarded("operator", {
    operationId: "getErasureForOperator",
    method: "get",
    path: "/admin/erasures/{accountId}",
    tags: ["operator"],
    summary: "Progress of an account's erasure",
    description: "The path has the id that the account had.",
    request: { params: AccountIdParam },
    responses: { 200: jsonResponse("The progress", ErasureSchema), ...errorResponses(404) },
  }),
  async (c) => c.json(toErasureBody(await getErasure(c.var.services, c.req.valid("param").accountId)), 200),
);

adminAccounts.openapi(
  guarded("operator", {
    operationId: "listAudit",
    method: "get",
    path: "/admin/audit",
    tags: ["operator"],
    summary: "The operator's actions",
    description:
      "Newest first. Each request that changes something has an entry, also if it was refused. Entries cannot be changed.",
    request: { query: AuditQuery },
    responses: { 200: jsonResponse("A page of the log", AuditSchema) },
  }),
  async (c) => {
    const { email, subject: given, ...query } = withCursor(c.req.valid("query"));
    const subject = email === undefined ? given : await toSubject(c.var.services, email);
    const { rows, nextCursor } = await listAudit(c.var.services, { ...query, subject });
    const entries = rows.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() }));
    return c.json({ entries, ...toPaging(nextCursor) }, 200);
  },
);

/** An account in the operator's lists. */
export function toListedAccount(account: Account): z.infer<typeof ListedAccountSchema> {
  return {
    ...toAccountBody(account),
    emailVerified: account.emailVerifiedAt !== null,
    operator: account.operatorSince !== null,
    shard: account.shard,
  };
}

export function toSuspensionBody({ suspendedAt, reason, servesFiles }: Suspension): z.infer<typeof SuspensionSchema> {
  return { suspendedAt: new Date(suspendedAt).toISOString(), reason, serveFiles: servesFiles };
}
