import type { z } from "@hono/zod-openapi";
import {
  AccountChangeBody,
  AccountDeletedSchema,
  AccountDeletionBody,
  type AccountSchema,
  EmailChangeBody,
  EmailChangeSchema,
  ErasureSchema,
  ReceiptParam,
  ShownAccountSchema,
} from "../contract/account.ts";
import { ExportLineSchema } from "../contract/export.ts";
import { OPERATIONS, toOperations } from "../domain/allowance.ts";
import { readHistory } from "../domain/file-history.ts";
import type { VerificationMode } from "../domain/mail-proofs.ts";
import { requestEmailChange } from "../services/accounts/change-email.ts";
import { deleteAccount } from "../services/accounts/delete-account.ts";
import { type ExportRecord, exportAccount } from "../services/accounts/export-account.ts";
import { getAccount } from "../services/accounts/get-account.ts";
import { getErasureByReceipt } from "../services/accounts/get-erasure.ts";
import { updateAccount } from "../services/accounts/update-account.ts";
import type { AccountContext } from "../services/context.ts";
import { toMediaObject, toUploadResult } from "../services/images/to-media-object.ts";
import { toImportFacts } from "../services/imports/import-facts.ts";
import type { Account, Erasure, Operation, UploadWithHistory } from "../services/records.ts";
import { toAlertBody } from "./alerts.ts";
import { toFolderBody } from "./folders.ts";
import { guarded } from "./guarded.ts";
import { toItemBody } from "./imports.ts";
import { toKeyBody } from "./keys.ts";
import { accountOf } from "./middleware/access.ts";
import { headersOf } from "./openapi/response-headers.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";
import { toSavedSearchBody } from "./saved-searches.ts";
import { clearSessionCookie } from "./session-cookie.ts";
import { toShareBody } from "./shares.ts";
import { toSigningKeyBody } from "./signing-keys.ts";
import { toUploadTokenBody } from "./upload-tokens.ts";
import { toWebhookBody } from "./webhooks.ts";

export const account = createRouter();

account.openapi(
  guarded("account", {
    operationId: "getAccount",
    method: "get",
    path: "/account",
    tags: ["accounts"],
    summary: "The account",
    description: "Its tier, its address, and whether the address is verified.",
    responses: { 200: jsonResponse("The account", ShownAccountSchema) },
  }),
  async (c) => c.json(toShownAccountBody(await getAccount(accountOf(c)), c.var.services.config.mail.verification), 200),
);

account.openapi(
  guarded("session", {
    operationId: "updateAccount",
    method: "patch",
    path: "/account",
    tags: ["accounts"],
    summary: "Change the name or the password",
    description:
      "A new password ends every other session. With `revokeKeysSince` it revokes the keys that a stolen session may have made.",
    request: { body: jsonBody(AccountChangeBody) },
    responses: { 200: jsonResponse("The account", ShownAccountSchema) },
  }),
  async (c) => {
    const { name, password: next, currentPassword: current, revokeKeysSince: day } = c.req.valid("json");
    const revokeKeysSince = day === undefined ? undefined : Date.parse(day);
    const password = next === undefined || current === undefined ? undefined : { current, next, revokeKeysSince };
    const account = await updateAccount(accountOf(c), { name, password });
    return c.json(toShownAccountBody(account, c.var.services.config.mail.verification), 200);
  },
);

account.openapi(
  guarded("session", {
    operationId: "changeEmail",
    method: "post",
    path: "/account/email",
    tags: ["accounts"],
    summary: "Ask for another e-mail address",
    description:
      "Both addresses get a link and have to confirm within 24 hours; the present one only if it was verified. A second request replaces the first. Five requests a day.",
    "x-recent-proof": true,
    request: { body: jsonBody(EmailChangeBody) },
    responses: { 202: jsonResponse("The addresses that have to confirm", EmailChangeSchema) },
  }),
  async (c) => {
    const waitingFor = await requestEmailChange(accountOf(c), c.req.valid("json").email);
    return c.json({ waitingFor }, 202);
  },
);

account.openapi(
  guarded("session", {
    operationId: "deleteAccount",
    method: "delete",
    path: "/account",
    tags: ["accounts"],
    summary: "Erase the account and everything it stores",
    request: { body: jsonBody(AccountDeletionBody) },
    description:
      "Its keys and sessions are revoked and its email is free at once. A large library is erased in the background: the answer is then 202, and `GET /erasures/{receipt}` reports when it is done.",
    responses: {
      200: jsonResponse("Erased", AccountDeletedSchema),
      202: jsonResponse("Erasure in progress", AccountDeletedSchema),
    },
  }),
  async (c) => {
    const { erasure, receipt } = await deleteAccount(accountOf(c), c.req.valid("json").password);
    clearSessionCookie(c);
    const body = { message: "Account deleted", ...toErasureBody(erasure), receipt };
    return erasure.outcome === "erased" ? c.json(body, 200) : c.json(body, 202);
  },
);

account.openapi(
  guarded("session", {
    operationId: "exportAccount",
    method: "get",
    path: "/account/export",
    tags: ["accounts"],
    summary: "Export the account",
    description:
      "JSON lines: the account, its settings, presets, keys, signing keys and upload tokens (without their secrets), alerts, folders, uploads with their URLs, and the operations of the last 90 days. The last line is of type `end`; an export without it is incomplete. Ten exports an hour.",
    responses: {
      200: {
        description: "One object a line",
        headers: headersOf(["Content-Disposition"]),
        content: { "application/x-ndjson": { schema: ExportLineSchema } },
      },
      ...errorResponses(404),
    },
  }),
  async (c) => {
    const account = accountOf(c);
    const records = await exportAccount(account);
    const day = new Date(account.now()).toISOString().slice(0, 10);
    const lines = streamLines(records, (record) => toExportLine(record, account));
    const headers = {
      "Content-Type": "application/x-ndjson",
      "Content-Disposition": `attachment; filename="media-host-${day}.jsonl"`,
      "Cache-Control": "no-store",
    };
    // The router's types know only JSON and text answers.
    return c.body(lines, 200, headers) as never;
  },
);

const CHUNK_CHARACTERS = 64 * 1024;

/** A stream of JSON lines. It takes the next value only when the reader wants more. If `values` throws, the stream breaks off. */
function streamLines<T>(values: AsyncGenerator<T>, toLine: (value: T) => unknown): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        let text = "";
        while (text.length < CHUNK_CHARACTERS) {
          const { value, done } = await values.next();
          if (done) break;
          text += `${JSON.stringify(toLine(value))}\n`;
        }
        if (text === "") controller.close();
        else controller.enqueue(encoder.encode(text));
      },
      async cancel() {
        await values.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

account.openapi(
  guarded("open", {
    operationId: "getErasure",
    method: "get",
    path: "/erasures/{receipt}",
    tags: ["accounts"],
    summary: "Progress of an account's erasure",
    description: "`DELETE /account` answers the receipt. It is valid for 35 days after the erasure.",
    request: { params: ReceiptParam },
    responses: { 200: jsonResponse("The progress", ErasureSchema), ...errorResponses(404) },
  }),
  async (c) => c.json(toErasureBody(await getErasureByReceipt(c.var.services, c.req.valid("param").receipt)), 200),
);

export function toAccountBody({ id, email, name, tier, createdAt }: Account): z.infer<typeof AccountSchema> {
  return { _id: id, email, name, tier, createdAt: new Date(createdAt).toISOString() };
}

/** @param verification the service's mode */
function toShownAccountBody(account: Account, verification: VerificationMode): z.infer<typeof ShownAccountSchema> {
  const { tier, emailVerifiedAt, verifyBy } = account;
  const isDue = verification === "required" && tier === "free" && verifyBy !== null;
  return {
    ...toAccountBody(account),
    emailVerification: emailVerifiedAt === null ? verification : "verified",
    verifyBy: isDue ? new Date(verifyBy).toISOString() : null,
    operator: account.operatorSince !== null,
  };
}

export function toErasureBody(erasure: Erasure): z.infer<typeof ErasureSchema> {
  if (erasure.outcome === "erasing") return { status: "erasing", erasedAt: null };
  return { status: "erased", erasedAt: new Date(erasure.erasedAt).toISOString() };
}

type ExportLine = z.infer<typeof ExportLineSchema>;

function toExportLine(record: ExportRecord, account: AccountContext): ExportLine {
  switch (record.type) {
    case "account":
      return { type: "account", ...toAccountBody(record.account) };
    case "settings":
      return { type: "settings", ...record.settings };
    case "preset":
      return { type: "preset", ...record.preset };
    case "key":
      return { type: "key", ...toKeyBody(record.key.key, record.key.lastUsedAt) };
    case "signingKey":
      return { type: "signingKey", ...toSigningKeyBody(record.signingKey) };
    case "webhook":
      return { type: "webhook", ...toWebhookBody(record.webhook) };
    case "uploadToken":
      return { type: "uploadToken", ...toUploadTokenBody(record.uploadToken) };
    case "import":
      return { type: "import", ...toImportFacts(record.found) };
    case "importItem":
      return { type: "importItem", importId: record.importId, ...toItemBody(record.item) };
    case "share":
      return { type: "share", ...toShareBody(account, record.share) };
    case "alert":
      return { type: "alert", ...toAlertBody(record.alert) };
    case "savedSearch":
      return { type: "savedSearch", ...toSavedSearchBody(record.search) };
    case "folder":
      return { type: "folder", ...toFolderBody(record.folder) };
    case "upload":
      return toUploadLine(record.upload, account.config.cdnUrl);
    case "operation":
      return toOperationLine(record.operation);
    case "end":
      return record;
  }
}

function toUploadLine(upload: UploadWithHistory, cdnUrl: string): ExportLine {
  const { thumbnailUrl, status, favorite } = toMediaObject(upload, cdnUrl);
  const history = readHistory(upload, upload.history).map(({ at, by, ...change }) => ({
    ...change,
    at: new Date(at).toISOString(),
    by: by && { type: by.type, _id: by.id },
  }));
  return { ...toUploadResult(upload, cdnUrl), thumbnailUrl, status, favorite, history };
}

function toOperationLine({ type, at, resourceId, keyId }: Operation): ExportLine {
  const { class: operationClass, weightTenths } = OPERATIONS[type];
  return {
    type: "operation",
    operation: type,
    class: operationClass,
    weight: toOperations(weightTenths),
    timestamp: new Date(at).toISOString(),
    resourceId,
    keyId,
  };
}
