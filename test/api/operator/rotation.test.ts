import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { signPreview } from "../../../src/domain/preview-token.ts";
import { OLDER_VALUE_DAYS, onlySecret, readSecret, type SecretName } from "../../../src/domain/secret-pair.ts";
import { totpCode } from "../../../src/domain/totp.ts";
import { makeChallenge, readChallenge } from "../../../src/services/passkeys/challenge.ts";
import { putWebhook } from "../../support/alerts/alerts.ts";
import { Internet } from "../../support/alerts/internet.ts";
import {
  bearer,
  call,
  callJson,
  openAccount,
  openProAccount,
  type TestAccount,
  uploadOne,
} from "../../support/api/api.ts";
import { callWith } from "../../support/api/registration.ts";
import { photoWithComment } from "../../support/codecs/photo.ts";
import { fromBase32 } from "../../support/from-base32.ts";

const DAY_SECONDS = 86_400;
const STEP_MS = 30_000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const stamped = (secondsFromNow: number) => `${Math.floor(Date.now() / 1000) + secondsFromNow}.a-rotated-value`;

/** The bindings of a Worker in each phase of a rotation; `over` is undefined if the older value stays until the next rotation. */
function phasesOf(name: SecretName) {
  const days = OLDER_VALUE_DAYS[name];
  const second = (value: string) => ({ [`${name}_2`]: value });
  const signing = second(stamped(-60));
  return {
    before: {},
    uploaded: second(stamped(3600)),
    signing,
    over: days === null ? undefined : second(stamped(-days * DAY_SECONDS - 60)),
  };
}

type Vars = Record<string, string>;

async function asJson(vars: Vars, method: string, path: string, token: string | undefined, body?: object) {
  const headers = { ...(token !== undefined && bearer(token)), "Content-Type": "application/json" };
  return callWith(vars, path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function logIn(vars: Vars, { email, password }: TestAccount, code?: string): Promise<Response> {
  return asJson(vars, "POST", "/auth/login", undefined, { email, password, ...(code && { code }) });
}

describe("During a rotation", () => {
  it("Sessions of every phase of a rotation are valid in the later phases, and in isolates that are one phase behind", async () => {
    const account = await openAccount();
    const { before, uploaded, signing, over = {} } = phasesOf("JWT_SECRET");
    const tokenOf = async (vars: Vars) => (await (await logIn(vars, account)).json<{ token: string }>()).token;
    const status = async (vars: Vars, token: string) =>
      (await callWith(vars, "/account", { headers: bearer(token) })).status;
    const [first, second, third] = [await tokenOf(before), await tokenOf(uploaded), await tokenOf(signing)];
    for (const vars of [before, uploaded, signing]) expect(await status(vars, first)).toBe(200);
    for (const vars of [before, uploaded, signing]) expect(await status(vars, second)).toBe(200);
    const pending = { JWT_SECRET_2: signing.JWT_SECRET_2 ?? "" };
    expect(await status(pending, third)).toBe(200);
    expect(await status(over, first)).toBe(401);
    expect(await status(over, second)).toBe(401);
  });

  it("A session's token does not depend on other secrets, and a receipt does not depend on the secret of sessions", async () => {
    const account = await openAccount();
    const others = { PREVIEW_SECRET: "x", RECEIPT_SECRET: "x", SIGN_IN_SECRET: "x", WEBHOOK_SECRET: "x" };
    expect((await callWith(others, "/account", { headers: bearer(account.token) })).status).toBe(200);
    const erased = await callJson("DELETE", "/account", account.token, { password: account.password });
    const { receipt } = await erased.json<{ receipt: string }>();
    const status = async (vars: Vars) => (await callWith(vars, `/erasures/${receipt}`)).status;
    expect(await status({ JWT_SECRET: "leaked and replaced" })).toBe(200);
    const { before, uploaded, signing, over = {} } = phasesOf("RECEIPT_SECRET");
    for (const vars of [before, uploaded, signing]) expect(await status(vars)).toBe(200);
    expect(await status(over)).toBe(404);
  });

  it("Previews of both values are served until the older value ends", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.uploadKey, { name: "a.jpg", bytes: photoWithComment() });
    const image = await call(`/images/${_id}`, { headers: bearer(account.token) });
    const { previewUrl } = await image.json<{ previewUrl: string }>();
    const path = new URL(previewUrl).pathname.slice(1);
    const { before, uploaded, signing, over = {} } = phasesOf("PREVIEW_SECRET");
    const answers = async (vars: Vars, secret: string) => {
      const token = await signPreview(secret, path, Math.floor(Date.now() / 1000) + 60);
      return (await callWith(vars, `/${path}?preview=${token}`)).status !== 403;
    };
    for (const vars of [before, uploaded, signing]) expect(await answers(vars, env.PREVIEW_SECRET)).toBe(true);
    for (const vars of [uploaded, signing]) expect(await answers(vars, vars.PREVIEW_SECRET_2 ?? "")).toBe(true);
    expect(await answers(over, env.PREVIEW_SECRET)).toBe(false);
    expect(await answers(over, over.PREVIEW_SECRET_2 ?? "")).toBe(true);
  });

  it("Both operator's tokens are valid until the older one ends, and no other is", async () => {
    const status = async (vars: Vars, token: string) =>
      (await callWith(vars, "/admin/shards", { headers: bearer(token) })).status;
    const { uploaded, signing, over = {} } = phasesOf("ADMIN_TOKEN");
    for (const vars of [uploaded, signing]) {
      expect(await status(vars, env.ADMIN_TOKEN)).toBe(200);
      expect(await status(vars, vars.ADMIN_TOKEN_2 ?? "")).toBe(200);
      expect(await status(vars, `${vars.ADMIN_TOKEN_2}x`)).toBe(401);
    }
    expect(await status(over, env.ADMIN_TOKEN)).toBe(401);
    expect(await status(over, over.ADMIN_TOKEN_2 ?? "")).toBe(200);
  });

  it("A webhook's messages are signed for receivers with the secret of either value", async () => {
    const internet = new Internet();
    const { token } = await openProAccount();
    const { secret: old } = await (await putWebhook({ token }, "https://hooks.example.com/")).json<{
      secret: string;
    }>();
    const { uploaded, signing } = phasesOf("WEBHOOK_SECRET");
    const send = async (vars: Vars) => (await asJson(vars, "POST", "/settings/webhook/test", token, {})).status;
    for (const vars of [uploaded, signing]) {
      expect(await send(vars)).toBe(200);
      expect(internet.verifyLast(old)).toMatchObject({ type: "webhook.test" });
    }
    const set = await asJson(signing, "PUT", "/settings/webhook", token, { url: "https://hooks.example.com/" });
    const { secret: fresh } = await set.json<{ secret: string }>();
    for (const vars of [signing, { WEBHOOK_SECRET: signing.WEBHOOK_SECRET_2 ?? "" }]) {
      expect(await send(vars)).toBe(200);
      expect(internet.verifyLast(fresh)).toMatchObject({ type: "webhook.test" });
    }
  });

  it("An authenticator app's secret is sealed with the newer value at its next use, and then outlives the older", async () => {
    const account = await openAccount();
    const begun = await callJson("POST", "/account/totp", account.token, {});
    const secret = fromBase32((await begun.json<{ secret: string }>()).secret);
    // A step that ends between two of these requests would change which codes are right.
    vi.setSystemTime(Date.now());
    const code = async (steps: number) => totpCode(secret, Date.now() + steps * STEP_MS);
    const confirm = await callJson("POST", "/account/totp/confirm", account.token, { code: await code(-1) });
    expect(confirm.status).toBe(200);
    const { signing } = phasesOf("SIGN_IN_SECRET");
    const afterNext = { SIGN_IN_SECRET: "next", SIGN_IN_SECRET_2: signing.SIGN_IN_SECRET_2 ?? "" };
    expect((await logIn(afterNext, account, await code(0))).status).toBe(403);
    expect((await logIn(signing, account, await code(0))).status).toBe(200);
    expect((await logIn(signing, account, await code(0))).status).toBe(403);
    expect((await logIn(afterNext, account, await code(1))).status).toBe(200);
  });

  it("A passkey's challenge that the older value signed is valid for its five minutes", () => {
    const now = Date.now();
    const challenge = (value: string) =>
      Buffer.from(makeChallenge("log-in", onlySecret(value), now)).toString("base64url");
    const { uploaded, signing } = phasesOf("SIGN_IN_SECRET");
    for (const vars of [uploaded, signing]) {
      const pair = readSecret({ ...env, ...vars }, "SIGN_IN_SECRET", now);
      expect(readChallenge(challenge(env.SIGN_IN_SECRET), "log-in", pair, now)).toBe(now);
      expect(readChallenge(challenge(vars.SIGN_IN_SECRET_2 ?? ""), "log-in", pair, now)).toBe(now);
      expect(readChallenge(challenge("another"), "log-in", pair, now)).toBeUndefined();
    }
  });
});
