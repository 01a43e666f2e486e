import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeAll, expect, it, vi } from "vitest";
import costs from "../../../docs/operating/costs.md?raw";
import type { CdnEnv } from "../../../src/cdn/env.ts";
import { serveFile } from "../../../src/cdn/serve-file.ts";
import { variantsPrefix } from "../../../src/domain/object-key.ts";
import { DEFAULT_VARIANT_QUALITY } from "../../../src/domain/variants/grid.ts";
import { type Variant, variantName } from "../../../src/domain/variants/variant.ts";
import { MIDDLE } from "../../../src/domain/variants/variant-request.ts";
import { hashSecret } from "../../../src/services/auth/secrets.ts";
import worker from "../../../src/worker.ts";
import { Internet } from "../../support/alerts/internet.ts";
import {
  BASE_URL,
  bearer,
  callJson,
  newAddress,
  openAccount,
  type TestAccount,
  type UploadResult,
  uploadOne,
} from "../../support/api/api.ts";
import { addPasskey, answerOf, makePasskey, type TestPasskey } from "../../support/api/passkey.ts";
import { waitForQuietMinute } from "../../support/api/quiet-minute.ts";
import { newEmail, PASSWORD } from "../../support/api/registration.ts";
import {
  type Abuse,
  abuseTable,
  type CountedPrices,
  dollarsPerMonth,
  listAbuse,
  MOST_DOLLARS,
} from "../../support/costs/abuse-table.ts";
import { CountingEnv, UNLIMITED_VARIANTS } from "../../support/costs/counting-env.ts";
import { DOLLARS_PER_MILLION, dollarsPerMillion } from "../../support/costs/prices.ts";
import { MailSender } from "../../support/mail/mails.ts";
import { makePng } from "../../support/media/make-png.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { made, thumbnailJpeg } from "../../support/thumbnails/processor.ts";
import { deliverOne, message } from "../../support/thumbnails/queue.ts";
import { begin, metadata, OFFSET_TYPE, TUS } from "../../support/uploads/tus.ts";
import { createToken, fillTokens } from "../../support/uploads/upload-tokens.ts";

// The cost of each kind of request that an anonymous or Free caller can make: docs/operating/costs.md.

const TIMES = 3;
/** Some of an account's drops also store the minute's count. They are answered one by one. */
const DROPS = 15;
/** The visits of a second. Every second visit of a Free account stores the minute's count. */
const VISITS = 10;
/** Rows of a new account's object, which the test cannot watch: its figures, session, key and device. */
const NEW_ACCOUNT_ROWS = 15;
/** The table of costs has the whole way of a view: its journal, its message and its account. */
const VIEW_DOLLARS = 0.87;
const CREATION = {
  ...TUS,
  "Upload-Length": "1000000",
  "Upload-Metadata": metadata({ filename: "film.mp4" }),
};
/** The variant of `?w=64&fm=avif`. */
const AVIF: Variant = {
  width: 64,
  fit: "clip",
  crop: MIDDLE,
  quality: DEFAULT_VARIANT_QUALITY,
  format: "avif",
  flip: "",
  rotation: 0,
  blur: 0,
};
const JSON_TYPE = { "Content-Type": "application/json" };

let account: TestAccount;
let counting: CountingEnv;
let abuses: Abuse[];

async function send(path: string, init: RequestInit = {}, token = account.token): Promise<Response> {
  const ctx = createExecutionContext();
  counting.addWorkerRequest();
  const headers = { ...(init.headers as Record<string, string> | undefined), ...bearer(token) };
  const response = await worker.fetch(new Request(BASE_URL + path, { ...init, headers }), counting.env, ctx);
  await response.arrayBuffer();
  await waitOnExecutionContext(ctx);
  return response;
}

/** The mean price of some requests, because some also store a window's count. */
async function price(use: (time: number) => Promise<Response>, status: number, times = TIMES): Promise<number> {
  let dollars = 0;
  for (let time = 0; time < times; time++) {
    const bill = await counting.bill(async () => expect((await use(time)).status).toBe(status));
    dollars += dollarsPerMillion(bill) / times;
  }
  return dollars;
}

/** The media processor makes an order. */
async function deliverOrder({ _id: uploadId, filename: fileKey }: UploadResult, makers: CdnEnv["VARIANT_MAKER"]) {
  const objectKey = variantsPrefix(account.id, uploadId) + variantName(AVIF);
  const order = { accountId: account.id, uploadId, fileKey, sourceKey: fileKey, mimeType: "image/png", objectKey };
  const picture = thumbnailJpeg();
  const headers = { "Content-Type": "image/avif", "Content-Length": String(picture.length) };
  const fetch = async (url: URL, init: RequestInit) => {
    await new Request(url, init).arrayBuffer();
    return new Response(picture, { headers });
  };
  const replaced = { ...counting.env, VARIANT_MAKER: makers, MEDIA_PROCESSOR: { getByName: () => ({ fetch }) } };
  counting.addWorkerRequest();
  const sent = message({ type: "variant.ordered", ...order, make: AVIF });
  expect(await deliverOne(sent, { processor: () => made(), replaced: replaced as unknown as Partial<Env> })).toBe(
    "acked",
  );
}

/** The price of a request for a variant that is not stored, or whose order the request sends. Each upload has its own maker. */
async function variantPrice(isOrdered: boolean): Promise<number> {
  let dollars = 0;
  for (let time = 0; time < TIMES; time++) {
    const photo = await uploadOne(account.uploadKey, { name: "photo.png", bytes: await makePng(300, 200 + time) });
    const makers = await counting.watchMaker(account.id, photo._id, isOrdered);
    const settings = { FILE_MAX_AGE_SECONDS: "300", MEDIA_PROCESSOR: isOrdered ? "container" : "none" };
    const bindings = { ...counting.env, ...settings, VARIANT_MAKER: makers, ...UNLIMITED_VARIANTS };
    const request = new Request(`${photo.url}?w=64${isOrdered ? "&fm=avif" : ""}`, { method: "HEAD" });
    const bill = await counting.bill(async () => {
      counting.addWorkerRequest();
      expect((await serveFile(request, bindings as unknown as CdnEnv, () => undefined)).status).toBe(200);
      if (isOrdered) await deliverOrder(photo, makers);
    });
    dollars += dollarsPerMillion(bill) / TIMES;
  }
  return dollars;
}

function change(method: string, path: string, body: unknown): Promise<Response> {
  return send(path, { method, headers: JSON_TYPE, body: JSON.stringify(body) });
}

/** The price of a stranger's request. The objects of its address are watched by `kinds`. */
async function strangerPrice(
  kinds: readonly string[],
  path: string,
  body: (time: number) => object,
  status: number,
  watch: () => Promise<void> = async () => {},
): Promise<number> {
  await watch();
  const address = newAddress();
  for (const kind of kinds) await counting.watchAddress(address, kind);
  const bindings = { ...counting.env, ...new MailSender().bindings, MAILS: counting.env.MAILS };
  const use = async (time: number) => {
    const ctx = createExecutionContext();
    counting.addWorkerRequest();
    const headers = { ...JSON_TYPE, "CF-Connecting-IP": address };
    const request = new Request(BASE_URL + path, { method: "POST", headers, body: JSON.stringify(body(time)) });
    const response = await worker.fetch(request, bindings as Env, ctx);
    await response.arrayBuffer();
    await waitOnExecutionContext(ctx);
    return response;
  };
  return price(use, status);
}

/** Answers of a passkey to challenges of their own. Each challenge is later than the one before. */
async function answersOf(passkey: TestPasskey, keys = passkey.keys): Promise<object[]> {
  const answers: object[] = [];
  for (let time = 0; time < TIMES; time++) {
    const options = await callJson("POST", "/auth/passkey/options", undefined, {});
    answers.push(await answerOf(passkey, await options.json(), { keys }));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return answers;
}

/** The price of a log-in by passkey: a request for the options, and one with the answer. */
async function passkeyPrice(passkey: TestPasskey, logIns: string): Promise<number> {
  const options = await strangerPrice(["ip"], "/auth/passkey/options", () => ({}), 200);
  const answers = await answersOf(passkey);
  const watch = () => counting.watchAddress(logIns, "login");
  return (
    options + (await strangerPrice(["ip", "passkey"], "/auth/passkey", (time) => answers[time] as object, 200, watch))
  );
}

/** The prices of creating tokens, and of the requests of visitors who have one. The account has a minute of its own. */
async function visitorPrices(bytes: Uint8Array<ArrayBuffer>) {
  const host = await openAccount();
  const { token } = await createToken(host.uploadKey, { maxFiles: 1000, maxBytes: 1_000_000_000 });
  const path = await begin(token, bytes.length);
  let at = 0;
  const patch = (length: number) => {
    const headers = { ...TUS, ...OFFSET_TYPE, "Upload-Offset": String(at), "Content-Length": String(length) };
    const body = bytes.slice(at, at + length);
    at += length;
    return send(path, { method: "PATCH", headers, body }, token);
  };
  await counting.watchAccount(host.id);
  const create = () =>
    send("/upload-tokens", { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ maxFiles: 1 }) }, host.token);
  const visitors = {
    token: await price(create, 201),
    tokenCreation: await price(() => send("/images/upload", { method: "POST", headers: CREATION }, token), 201),
    tokenDrop: await price(() => patch(1), 204, DROPS),
    tokenPiece: await price(() => patch(100_000), 204),
    tokenHead: await price(() => send(path, { method: "HEAD", headers: TUS }, token), 200),
    tokenUpload: await price(
      (time) => send(`/images/upload?filename=${time}.png`, { method: "POST", body: png(1, 1, 6000 + time) }, token),
      201,
    ),
  };
  await fillTokens(host.id);
  const tokenList = await price(() => send("/upload-tokens?limit=100", {}, host.token), 200);
  await counting.watchAccount(account.id);
  return { ...visitors, tokenList };
}

/** The prices of shares. The account has a minute of its own. */
async function sharePrices(): Promise<Pick<CountedPrices, ShareRequest>> {
  const owner = await openAccount();
  await uploadOne(owner.uploadKey, { name: "a.png", bytes: png(1, 1, 7100) });
  await counting.watchAccount(owner.id);
  const terms = { folderId: "root", password: "open sesame", allowUpload: true };
  const make = () => send("/shares", { method: "POST", headers: JSON_TYPE, body: JSON.stringify(terms) }, owner.token);
  const share = await price(make, 201);
  const page = await callJson("POST", "/shares", owner.token, { ...terms, password: null });
  const { url } = await page.json<{ url: string }>();
  const locked = await (await callJson("POST", "/shares", owner.token, terms)).json<{ _id: string; url: string }>();
  const address = newAddress();
  await counting.watchAddress(address);
  await counting.watchAddress(locked._id, "share");
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "CF-Connecting-IP": address };
  const prices = {
    share,
    shareList: await price(() => send("/shares?limit=100", {}, owner.token), 200),
    sharePage: await price(() => send(new URL(url).pathname), 200, VISITS),
    sharePassword: await price(
      (time) => send(new URL(locked.url).pathname, { method: "POST", headers, body: `password=wrong-${time}` }),
      403,
    ),
  };
  await counting.watchAccount(account.id);
  return prices;
}

type ShareRequest = "share" | "shareList" | "sharePage" | "sharePassword";

type NewerRequest =
  | "visibility"
  | "expiry"
  | "sign"
  | "signingKey"
  | "duplicate"
  | "eventedChange"
  | "eventPage"
  | "webhook"
  | "webhookTest"
  | "deliveries";

/** The prices of private files, of `dedupe` and of events. The account has a minute of its own. */
async function newerPrices(): Promise<Pick<CountedPrices, NewerRequest>> {
  new Internet();
  const owner = await openAccount();
  const change = (method: string, path: string, body: unknown) =>
    send(path, { method, headers: JSON_TYPE, body: JSON.stringify(body) }, owner.token);
  const bytes = png(1, 1, 7000);
  const { _id } = await uploadOne(owner.uploadKey, { name: "a.png", bytes });
  await counting.watchAccount(owner.id);
  const quiet = {
    visibility: await price(
      (time) => change("PATCH", `/images/${_id}`, { visibility: time % 2 === 0 ? "private" : "public" }),
      200,
    ),
    sign: await price(() => change("POST", `/images/${_id}/sign`, {}), 200),
    signingKey: await price((time) => change("POST", "/signing-keys", { name: `key ${time}` }), 201),
    expiry: await price(
      (time) => change("PATCH", `/images/${_id}`, { expiresAt: new Date(Date.now() + (time + 1) * 1e8).toISOString() }),
      200,
    ),
  };
  await uploadOne(owner.uploadKey, { name: "a.png", bytes });
  const duplicate = await price(
    () => send("/images/upload?filename=b.png&dedupe=true", { method: "POST", body: bytes }, owner.uploadKey),
    200,
  );
  const events = ["image.updated", "usage.alert"];
  const webhook = await price(
    () => change("PUT", "/settings/webhooks/shop", { url: "https://hooks.example.com/shop", events }),
    200,
  );
  const webhookTest = await price(() => change("POST", "/settings/webhooks/shop/test", {}), 200);
  const deliveries = await price(() => send("/settings/webhooks/shop/deliveries", {}, owner.token), 200);
  const eventedChange = await price((time) => change("PATCH", `/images/${_id}`, { favorite: time % 2 === 0 }), 200);
  const eventPage = await price(() => send("/events?limit=100", {}, owner.token), 200);
  vi.restoreAllMocks();
  await counting.watchAccount(account.id);
  return { ...quiet, duplicate, webhook, webhookTest, deliveries, eventedChange, eventPage };
}

beforeAll(async () => {
  // The counts of a minute are stored in rows, so all requests must fall into one minute.
  await waitForQuietMinute(35_000);
  account = await openAccount();
  const ids: string[] = [];
  for (let count = 0; count < 20; count++) {
    ids.push((await uploadOne(account.uploadKey, { name: `${count}.png`, bytes: png(1, 1, 200 + count) }))._id);
  }
  const path = await begin(account.uploadKey, 1_000_000);
  const bytes = mp4(1_000_000);
  const passkey = await addPasskey(account.token);
  const wrongAnswers = await answersOf(passkey, (await makePasskey()).keys);
  counting = await CountingEnv.open(account.id);
  const logIns = await hashSecret(account.email);
  let at = 0;
  const patch = (length: number) => {
    const headers = { ...TUS, ...OFFSET_TYPE, "Upload-Offset": String(at), "Content-Length": String(length) };
    const body = bytes.slice(at, at + length);
    at += length;
    return send(path, { method: "PATCH", headers, body }, account.uploadKey);
  };
  const visitors = await visitorPrices(bytes);
  const shares = await sharePrices();
  const prices: Omit<CountedPrices, NewerRequest> = {
    listing: await price(() => send("/images?limit=50"), 200),
    search: await price(() => send("/images?q=png"), 200),
    change: await price((time) => change("PATCH", `/images/${ids[0]}`, { favorite: time % 2 === 0 }), 200),
    bulk:
      (await price((time) => change("POST", `/images/bulk-${time % 2 === 0 ? "trash" : "restore"}`, { ids }), 200)) /
      ids.length,
    hotlink: await price(
      (time) =>
        change("PATCH", "/settings", { hotlink: { allowedHosts: [`${time}.example`], allowEmptyReferer: true } }),
      200,
    ),
    creation: await price(() => send("/images/upload", { method: "POST", headers: CREATION }, account.uploadKey), 201),
    drop: await price(() => patch(1), 204, DROPS),
    piece: await price(() => patch(100_000), 204),
    head: await price(() => send(path, { method: "HEAD", headers: TUS }, account.uploadKey), 200),
    upload: await price(
      (time) =>
        send(
          `/images/upload?filename=${time}.png`,
          { method: "POST", body: png(1, 1, 5000 + time) },
          account.uploadKey,
        ),
      201,
    ),
    ...visitors,
    ...shares,
    view: VIEW_DOLLARS,
    variant: await variantPrice(false),
    order: await variantPrice(true),
    range: DOLLARS_PER_MILLION.workerRequests + DOLLARS_PER_MILLION.r2ClassB,
    key: await price(() => send("/keys/upload/regenerate", { method: "POST" }), 201),
    registration:
      (await strangerPrice(
        ["ip", "register"],
        "/auth/register",
        () => ({ email: newEmail(), password: PASSWORD }),
        201,
      )) +
      NEW_ACCOUNT_ROWS * DOLLARS_PER_MILLION.objectRowsWritten,
    forgotPassword: await strangerPrice(["ip", "forgot"], "/auth/password/forgot", () => ({ email: newEmail() }), 202),
    report: await strangerPrice(
      ["ip", "report"],
      "/reports",
      () => ({ url: "https://cdn.example/uploads/a/b-c.png", reason: "Copyright" }),
      201,
    ),
    logIn: await strangerPrice(
      ["ip"],
      "/auth/login",
      () => ({ email: account.email, password: account.password }),
      200,
      () => counting.watchAddress(logIns, "login"),
    ),
    wrongPassword: await strangerPrice(
      ["ip"],
      "/auth/login",
      () => ({ email: account.email, password: "a wrong password" }),
      401,
    ),
    refusedPasskey: await strangerPrice(
      ["ip", "passkey"],
      "/auth/passkey",
      (time) => wrongAnswers[time] as object,
      403,
    ),
    reauthentication: await price(() => change("POST", "/auth/reauthenticate", { password: account.password }), 200),
    passwordChange: await price(() => {
      const body = { password: account.password, currentPassword: account.password };
      return change("PATCH", "/account", body);
    }, 200),
    unknownKey: await price(() => send("/images", {}, `service_live_${"x".repeat(43)}`), 401),
    // This is last, because a password change writes a row for each session that it ends.
    passkeyLogIn: await passkeyPrice(passkey, logIns),
  };
  await waitForQuietMinute(20_000);
  abuses = listAbuse({ ...prices, ...(await newerPrices()) });
}, 200_000);

it("The page of costs has the table of abuse", () => {
  const table = abuseTable(abuses);
  expect(costs.includes(table), table).toBe(true);
});

it("No kind of request costs more than $5 a month an account, or $20 an address", () => {
  for (const abuse of abuses)
    expect(dollarsPerMonth(abuse), abuse.request).toBeLessThanOrEqual(MOST_DOLLARS[abuse.payer]);
});
