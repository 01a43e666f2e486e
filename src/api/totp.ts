import { MessageSchema } from "../contract/common.ts";
import { NewTotpSchema, RecoveryCodesSchema, TotpCodeBody, TotpStateSchema } from "../contract/totp.ts";
import {
  beginTotp,
  confirmTotp,
  readTotp,
  removeTotp,
  renewRecoveryCodes,
} from "../services/second-factor/manage-totp.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const totp = createRouter();

totp.openapi(
  guarded("session", {
    operationId: "getTotp",
    method: "get",
    path: "/account/totp",
    tags: ["accounts"],
    summary: "Whether log-ins by password need a code",
    description: "Whether an authenticator app is confirmed, and the number of unused recovery codes.",
    responses: { 200: jsonResponse("The state", TotpStateSchema) },
  }),
  async (c) => {
    const { confirmedAt, recoveryCodes } = await readTotp(accountOf(c));
    const enabledAt = confirmedAt === null ? null : new Date(confirmedAt).toISOString();
    return c.json({ enabled: enabledAt !== null, enabledAt, recoveryCodesLeft: recoveryCodes }, 200);
  },
);

totp.openapi(
  guarded("session", {
    operationId: "beginTotp",
    method: "post",
    path: "/account/totp",
    tags: ["accounts"],
    summary: "A secret for an authenticator app; it counts from its confirmation on",
    description: "Show `uri` as a QR code, then confirm with a code of the app.",
    "x-recent-proof": true,
    responses: { 201: jsonResponse("The secret, shown only once", NewTotpSchema), ...errorResponses(409) },
  }),
  async (c) => c.json(await beginTotp(accountOf(c)), 201),
);

totp.openapi(
  guarded("session", {
    operationId: "confirmTotp",
    method: "post",
    path: "/account/totp/confirm",
    tags: ["accounts"],
    summary: "Confirm the authenticator app; log-ins by password then need a code",
    description: "The body has a code of the app. The answer has recovery codes, which are shown only once.",
    request: { body: jsonBody(TotpCodeBody) },
    "x-recent-proof": true,
    responses: {
      200: jsonResponse("The recovery codes, shown only once", RecoveryCodesSchema),
      ...errorResponses(404, 409),
    },
  }),
  async (c) => c.json({ recoveryCodes: await confirmTotp(accountOf(c), c.req.valid("json").code) }, 200),
);

totp.openapi(
  guarded("session", {
    operationId: "renewRecoveryCodes",
    method: "post",
    path: "/account/totp/recovery-codes",
    tags: ["accounts"],
    summary: "New recovery codes in place of the earlier ones",
    description: "The earlier codes stop working. The new ones are shown only once.",
    "x-recent-proof": true,
    responses: {
      200: jsonResponse("The recovery codes, shown only once", RecoveryCodesSchema),
      ...errorResponses(404),
    },
  }),
  async (c) => c.json({ recoveryCodes: await renewRecoveryCodes(accountOf(c)) }, 200),
);

totp.openapi(
  guarded("session", {
    operationId: "deleteTotp",
    method: "delete",
    path: "/account/totp",
    tags: ["accounts"],
    summary: "Remove the authenticator app and its recovery codes",
    description: "A log-in by password then needs no code.",
    "x-recent-proof": true,
    responses: { 200: jsonResponse("Removed", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await removeTotp(accountOf(c));
    return c.json({ message: "Authenticator removed" }, 200);
  },
);
