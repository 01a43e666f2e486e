import type { z } from "@hono/zod-openapi";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import {
  EmailChangeSchema,
  EmailConfirmationBody,
  ForgottenPasswordBody,
  LogInBody,
  PasswordResetBody,
  RegisterBody,
  RegisteredSchema,
  RegistrationModeSchema,
  SessionSchema,
  VerifyBody,
} from "../contract/account.ts";
import { MessageSchema } from "../contract/common.ts";
import { PasskeyAnswerBody, PasskeyRequestSchema } from "../contract/passkey.ts";
import { ReauthenticatedSchema, ReauthenticationBody } from "../contract/session.ts";
import { TURNSTILE_ACTION } from "../domain/registration.ts";
import { confirmEmail } from "../services/accounts/change-email.ts";
import { logIn } from "../services/accounts/log-in.ts";
import { logInByPasskey } from "../services/accounts/log-in-by-passkey.ts";
import type { Session } from "../services/accounts/open-session.ts";
import { type Proof, reauthenticate } from "../services/accounts/reauthenticate.ts";
import { register } from "../services/accounts/register.ts";
import { requestPasswordReset, resetPassword } from "../services/accounts/reset-password.ts";
import { resendVerification, verifyEmail } from "../services/accounts/verify-email.ts";
import { makePasskeyRequest } from "../services/passkeys/confirm-passkey.ts";
import type { Account } from "../services/records.ts";
import { toAccountBody } from "./account.ts";
import { renewDeviceCookie } from "./device-cookie.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { isFromOperator } from "./middleware/require-admin.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";
import { clearSessionCookie, setSessionCookie } from "./session-cookie.ts";

export const auth = createRouter();

auth.openapi(
  guarded("open", {
    operationId: "getRegistration",
    method: "get",
    path: "/auth/registration",
    tags: ["accounts"],
    summary: "Whether and how accounts can be opened",
    description: "Registration pages read it first.",
    responses: { 200: jsonResponse("The registration mode", RegistrationModeSchema) },
  }),
  (c) => {
    const { registration, mail } = c.var.services.config;
    const { mode, turnstile } = registration;
    const widget = turnstile === undefined ? null : { siteKey: turnstile.siteKey, action: TURNSTILE_ACTION };
    return c.json({ mode, turnstile: widget, mail: mail.isSetUp }, 200);
  },
);

auth.openapi(
  guarded("open", {
    operationId: "registerAccount",
    method: "post",
    path: "/auth/register",
    tags: ["accounts"],
    summary: "Open a Free account",
    description:
      "Attempts an hour are limited for each address. If registration is closed, by invitation, or needs Turnstile (`GET /auth/registration`), other requests are 403. Requests with the operator's token are neither limited nor refused.",
    request: { body: jsonBody(RegisterBody) },
    responses: {
      201: jsonResponse("The account, logged in; its upload key is shown only once", RegisteredSchema),
      ...errorResponses(403, 409),
    },
  }),
  async (c) => {
    const { email, password, name, turnstileToken, invitation } = c.req.valid("json");
    const { hostname } = new URL(c.req.url);
    c.var.client.deviceToken = renewDeviceCookie(c);
    const { account, session, uploadKey } = await register(c.var.services, {
      email,
      password,
      name: name ?? null,
      from: c.var.client,
      applicant: (await isFromOperator(c))
        ? undefined
        : { address: c.var.client.address, hostname, turnstileToken, invitation },
    });
    setSessionCookie(c, session);
    return c.json({ ...toSessionBody(session, account), uploadKey }, 201);
  },
);

auth.openapi(
  guarded("password", {
    operationId: "logIn",
    method: "post",
    path: "/auth/login",
    tags: ["accounts"],
    summary: "Log in",
    description:
      "Answers a session's token, for `Authorization: Bearer`. An account with an authenticator app also needs `code`.",
    request: { body: jsonBody(LogInBody) },
    responses: { 200: jsonResponse("A session", SessionSchema) },
  }),
  async (c) => {
    c.var.client.deviceToken = renewDeviceCookie(c);
    const { account, session } = await logIn(c.var.services, c.var.client, c.req.valid("json"));
    setSessionCookie(c, session);
    return c.json(toSessionBody(session, account), 200);
  },
);

auth.openapi(
  guarded("session", {
    operationId: "logOut",
    method: "post",
    path: "/auth/logout",
    tags: ["accounts"],
    summary: "End this session",
    description: "Its token is refused from then on. Other sessions stay.",
    responses: { 200: jsonResponse("Logged out", MessageSchema) },
  }),
  async (c) => {
    const { principal, meter } = accountOf(c);
    if (principal.kind === "session") await meter.endSession(principal.sessionId);
    clearSessionCookie(c);
    // The browser's cached files of the account are removed, too.
    c.header("Clear-Site-Data", '"cache"');
    return c.json({ message: "Logged out" }, 200);
  },
);

auth.openapi(
  guarded("session", {
    operationId: "reauthenticateSession",
    method: "post",
    path: "/auth/reauthenticate",
    tags: ["accounts"],
    summary: "Prove again who you are",
    description:
      "Changes of keys, sign-in and webhook need a proof of the last 15 minutes, else they are 403 `reauthentication_required`. A log-in is a proof.",
    request: { body: jsonBody(ReauthenticationBody) },
    responses: { 200: jsonResponse("Proven", ReauthenticatedSchema) },
  }),
  async (c) => {
    const until = await reauthenticate(accountOf(c), toProof(c.req.valid("json")));
    return c.json({ provenUntil: new Date(until).toISOString() }, 200);
  },
);

/** The body has exactly one of the three fields. */
function toProof({ passkey, ...given }: z.infer<typeof ReauthenticationBody>): Proof {
  return (passkey === undefined ? given : { passkey: { ...passkey, rawId: passkey.id } }) as Proof;
}

auth.openapi(
  guarded("open", {
    operationId: "beginPasskeyLogin",
    method: "post",
    path: "/auth/passkey/options",
    tags: ["accounts"],
    summary: "Options for a log-in by passkey",
    description: "The options for `navigator.credentials.get()`. The challenge is valid once, for five minutes.",
    responses: { 200: jsonResponse("The options", PasskeyRequestSchema) },
  }),
  (c) => c.json(makePasskeyRequest(c.var.services), 200),
);

auth.openapi(
  guarded("open", {
    operationId: "logInByPasskey",
    method: "post",
    path: "/auth/passkey",
    tags: ["accounts"],
    summary: "Log in by passkey",
    description: "The body is the browser's answer to the options.",
    request: { body: jsonBody(PasskeyAnswerBody) },
    responses: { 200: jsonResponse("A session", SessionSchema), ...errorResponses(403) },
  }),
  async (c) => {
    c.var.client.deviceToken = renewDeviceCookie(c);
    const answer = c.req.valid("json");
    const response = { ...answer, rawId: answer.id } as AuthenticationResponseJSON;
    const { account, session } = await logInByPasskey(c.var.services, c.var.client, response);
    setSessionCookie(c, session);
    return c.json(toSessionBody(session, account), 200);
  },
);

auth.openapi(
  guarded("open", {
    operationId: "verifyEmail",
    method: "post",
    path: "/auth/verify",
    tags: ["accounts"],
    summary: "Verify the e-mail address by a mailed link or code",
    description:
      "Links and codes are valid for 24 hours. Wrong ones are limited for each client, codes also for each address.",
    request: { body: jsonBody(VerifyBody) },
    responses: { 200: jsonResponse("Verified", MessageSchema), ...errorResponses(400) },
  }),
  async (c) => {
    const { token, email = "", code = "" } = c.req.valid("json");
    await verifyEmail(c.var.services, c.var.client, token === undefined ? { email, code } : { token });
    return c.json({ message: "E-mail address verified" }, 200);
  },
);

auth.openapi(
  guarded("session", {
    operationId: "resendVerification",
    method: "post",
    path: "/auth/verify/resend",
    tags: ["accounts"],
    summary: "Mail another link and code that verify the address",
    description: "An address gets at most three mails in half an hour. Nothing is sent if it is verified.",
    responses: { 202: jsonResponse("Accepted", MessageSchema) },
  }),
  async (c) => {
    await resendVerification(accountOf(c));
    return c.json({ message: "A mail is on its way" }, 202);
  },
);

auth.openapi(
  guarded("open", {
    operationId: "requestPasswordReset",
    method: "post",
    path: "/auth/password/forgot",
    tags: ["accounts"],
    summary: "Ask for a mail with a link to a new password",
    description:
      "The answer is the same whether or not the address has an account. An address gets at most three mails in half an hour, a client may ask twenty times an hour.",
    request: { body: jsonBody(ForgottenPasswordBody) },
    responses: { 202: jsonResponse("Accepted", MessageSchema), ...errorResponses(403) },
  }),
  async (c) => {
    await requestPasswordReset(c.var.services, c.var.client, c.req.valid("json").email);
    return c.json({ message: "If the address has an account, a mail is on its way" }, 202);
  },
);

auth.openapi(
  guarded("open", {
    operationId: "resetPassword",
    method: "post",
    path: "/auth/password/reset",
    tags: ["accounts"],
    summary: "Set a new password by a mailed link",
    description: "A link is valid once, for 30 minutes. All sessions end.",
    request: { body: jsonBody(PasswordResetBody) },
    responses: { 200: jsonResponse("The password is set", MessageSchema), ...errorResponses(400) },
  }),
  async (c) => {
    await resetPassword(c.var.services, c.var.client, c.req.valid("json"));
    return c.json({ message: "Password changed" }, 200);
  },
);

auth.openapi(
  guarded("open", {
    operationId: "confirmEmail",
    method: "post",
    path: "/auth/email/confirm",
    tags: ["accounts"],
    summary: "Confirm a change of the e-mail address by a mailed link",
    description:
      "The body has the token of the mailed link. The address changes when each of the mailed addresses has confirmed.",
    request: { body: jsonBody(EmailConfirmationBody) },
    responses: {
      200: jsonResponse("The addresses that still have to confirm", EmailChangeSchema),
      ...errorResponses(400, 409),
    },
  }),
  async (c) => {
    const waitingFor = await confirmEmail(c.var.services, c.var.client, c.req.valid("json").token);
    return c.json({ waitingFor }, 200);
  },
);

function toSessionBody(session: Session, account: Account): z.infer<typeof SessionSchema> {
  const { token, expiresAt } = session;
  return { token, expiresAt: new Date(expiresAt).toISOString(), account: toAccountBody(account) };
}
