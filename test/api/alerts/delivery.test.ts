import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventsDue } from "../../../src/domain/queue-messages.ts";
import {
  type AlertedAccount,
  type Delivery,
  deliver,
  listAlerts,
  openAlerted,
  putWebhook,
  ringAlarm,
  takeQueue,
  usePercent,
  view,
  waitForMessages,
} from "../../support/alerts/alerts.ts";
import { Internet } from "../../support/alerts/internet.ts";
import { meterOf, restoreStores, setUsedTenths } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, uploadOne } from "../../support/api/api.ts";
import { failingDatabases } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";

const URL_ = "https://hooks.example.com/alerts?of=media";

let internet: Internet;

beforeEach(() => {
  internet = new Internet();
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function openWithWebhook(): Promise<AlertedAccount & { secret: string }> {
  const account = await openAlerted();
  const { secret } = await (await putWebhook(account, URL_)).json<{ secret: string }>();
  return { ...account, secret };
}

async function webhookDelivery(account: AlertedAccount): Promise<Delivery> {
  const [alert] = await listAlerts(account);
  return alert?.deliveries.webhook as Delivery;
}

function setFailingSince({ id }: AlertedAccount, at: number): Promise<void> {
  return runInDurableObject(meterOf(id), (_meter, { storage }) => {
    storage.sql.exec("UPDATE webhooks SET state = json_set(state, '$.failingSince', ?)", at);
  });
}

async function shownWebhook({ token }: AlertedAccount) {
  return (await call("/settings/webhook", { headers: bearer(token) })).json<Record<string, unknown>>();
}

/** Rings the alarm and delivers until no delivery is due. @returns the attempts */
async function deliverAll(account: AlertedAccount, replaced = {}): Promise<number> {
  for (let attempts = 0; ; attempts++) {
    const [message] = await ringAlarm(account);
    if (message === undefined) return attempts;
    expect(await deliver(message, replaced)).toBe("acked");
  }
}

describe("Webhook delivery", () => {
  it("An alert is sent to the webhook automatically, signed (Standard Webhooks), and shown as delivered", async () => {
    const account = await openWithWebhook();
    await usePercent(account, 80);
    const [message] = await waitForMessages(account.queue, 1);
    expect(message).toEqual({ type: "events.due", accountId: account.id, webhook: "default", run: expect.any(Number) });
    expect(await deliver(message as never)).toBe("acked");
    expect(internet.received.map(({ url }) => url)).toEqual([URL_]);
    const [alert] = await listAlerts(account);
    expect(internet.verifyLast(account.secret)).toEqual({
      type: "usage.alert",
      timestamp: alert?.createdAt,
      data: {
        _id: alert?._id,
        threshold: 80,
        percent: 80,
        used: 800_000,
        limit: 1_000_000,
        resetAt: alert?.resetAt,
        createdAt: alert?.createdAt,
      },
    });
    expect(alert?.deliveries.webhook).toEqual({
      state: "delivered",
      attempts: 1,
      lastAttemptAt: expect.any(String),
      nextAttemptAt: null,
      status: 204,
      error: null,
    });
    expect(await shownWebhook(account)).toMatchObject({
      url: URL_,
      lastDelivery: {
        alertId: alert?._id,
        delivered: true,
        status: 204,
        error: null,
        attempts: 1,
        nextAttemptAt: null,
      },
    });
    expect(await ringAlarm(account)).toEqual([]);
  });

  it("An alert reaches its receiver through the object's alarm and the queue", async () => {
    const account = await openAccount("pro");
    await putWebhook(account, URL_);
    await setUsedTenths(account.id, 4_999_999);
    await view(account.id);
    await expect.poll(() => internet.received.length, { timeout: 10_000 }).toBe(1);
    await expect
      .poll(async () => (await listAlerts(account))[0]?.deliveries.webhook)
      .toMatchObject({ state: "delivered", attempts: 1 });
  });

  it("An alert is tried for three days under one webhook-id, and then its webhook is disabled", async () => {
    const account = await openWithWebhook();
    internet.answer = () => new Response("busy", { status: 503 });
    await usePercent(account, 50);
    await waitForMessages(account.queue, 1);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 9; attempt++) {
      const message = attempt === 1 ? account.queue.sent[0] : (await ringAlarm(account))[0];
      await deliver(message as never);
      const { nextAttemptAt, lastAttemptAt, attempts } = await webhookDelivery(account);
      expect(attempts).toBe(attempt);
      waits.push(Date.parse(nextAttemptAt ?? "") - Date.parse(lastAttemptAt ?? ""));
    }
    expect(waits[0]).toBeGreaterThanOrEqual(5000);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(10 * 3_600_000);
    await setFailingSince(account, Date.now() - 3 * 24 * 3_600_000);
    await deliver((await ringAlarm(account))[0] as never);
    expect(await webhookDelivery(account)).toMatchObject({
      state: "failed",
      status: 503,
      error: "status",
      attempts: 10,
      nextAttemptAt: null,
    });
    expect(new Set(internet.received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    expect(await ringAlarm(account)).toEqual([]);
    expect(await shownWebhook(account)).toMatchObject({
      disabledAt: expect.any(String),
      lastDelivery: { delivered: false, attempts: 10, status: 503 },
    });
  });

  it("An alert is attempted once, even if its message is delivered several times", async () => {
    const account = await openWithWebhook();
    internet.answer = () => new Response(null, { status: 500 });
    await usePercent(account, 50);
    const [message] = await waitForMessages(account.queue, 1);
    await Promise.all([1, 2, 3].map(() => deliver(message as never)));
    await deliver(message as never);
    expect(internet.received.length).toBe(1);
    expect(await webhookDelivery(account)).toMatchObject({ attempts: 1, state: "pending" });
  });

  it.each([
    [
      "a redirect, which is not followed",
      () => Response.redirect("http://169.254.169.254/latest", 302),
      "redirect",
      302,
    ],
    ["a refusal", () => new Response(null, { status: 401 }), "status", 401],
    ["a connection that breaks", () => Promise.reject(new TypeError("Network connection lost.")), "connection", null],
  ])("A delivery fails at %s", async (_, answer, error, status) => {
    const account = await openWithWebhook();
    internet.answer = answer as never;
    await usePercent(account, 50);
    await deliver((await waitForMessages(account.queue, 1))[0] as never);
    expect(await webhookDelivery(account)).toMatchObject({ state: "pending", error, status, attempts: 1 });
    expect(internet.received.length).toBe(1);
  });

  it("A delivery does not wait for a silent receiver, nor read an endless answer", async () => {
    const account = await openWithWebhook();
    internet.answer = () => new Promise(() => {});
    await usePercent(account, 50);
    const startedAt = Date.now();
    await deliver((await waitForMessages(account.queue, 1))[0] as never);
    expect(Date.now() - startedAt).toBeLessThan(14_000);
    expect(await webhookDelivery(account)).toMatchObject({ error: "timeout", status: null });
    let cancelled = false;
    const endless = new ReadableStream({
      pull: (stream) => stream.enqueue(new Uint8Array(1000)),
      cancel: () => {
        cancelled = true;
      },
    });
    internet.answer = () => new Response(endless);
    // The object was idle for ten seconds.
    await takeQueue(account.id, account.queue);
    await deliver((await ringAlarm(account))[0] as never);
    expect(await webhookDelivery(account)).toMatchObject({ state: "delivered", status: 200 });
    expect(cancelled).toBe(true);
  });

  it("A receiver that is gone disables its webhook; another webhook gets the alert", async () => {
    const account = await openWithWebhook();
    internet.answer = () => new Response(null, { status: 410 });
    await usePercent(account, 50);
    await deliver((await waitForMessages(account.queue, 1))[0] as never);
    expect(await shownWebhook(account)).toMatchObject({
      disabledAt: expect.any(String),
      lastDelivery: { status: 410, error: "gone", nextAttemptAt: null },
    });
    await usePercent(account, 80);
    expect(await ringAlarm(account)).toEqual([]);
    expect(internet.received.length).toBe(1);
    internet.answer = () => new Response(null, { status: 200 });
    await putWebhook(account, "https://hooks.example.com/new");
    await waitForMessages(account.queue, 3);
    for (const message of account.queue.sent.slice(1)) await deliver(message);
    expect(internet.received.slice(1).map(({ url }) => url)).toEqual(Array(2).fill("https://hooks.example.com/new"));
    const states = (await listAlerts(account)).map(({ deliveries }) => deliveries.webhook?.state);
    expect(states).toEqual(["delivered", "delivered"]);
  });

  it("An alert is not sent to the old address after the webhook was changed, and is not lost", async () => {
    const account = await openWithWebhook();
    await usePercent(account, 50);
    const [old] = await waitForMessages(account.queue, 1);
    internet.name("other.example.com", ["93.184.215.15"]);
    const changed = await putWebhook(account, "https://other.example.com/");
    const { secret } = await changed.json<{ secret: string }>();
    await deliver(old as never);
    await deliverAll(account);
    expect(internet.received.map(({ url }) => url)).toEqual(["https://other.example.com/"]);
    expect(() => internet.verifyLast(account.secret)).toThrow();
    expect(internet.verifyLast(secret)).toMatchObject({ data: { threshold: 50 } });
  });

  it("An alert in progress to the old address during a change is sent to the new one as well", async () => {
    const account = await openWithWebhook();
    await usePercent(account, 50);
    const [message] = await waitForMessages(account.queue, 1);
    internet.answer = async () => {
      internet.answer = () => new Response(null, { status: 200 });
      await putWebhook(account, "https://hooks.example.com/new");
      return new Response(null, { status: 200 });
    };
    await deliver(message as never);
    expect(await webhookDelivery(account)).toMatchObject({ state: "pending" });
    await deliverAll(account);
    expect(internet.received.map(({ url }) => url)).toEqual([URL_, "https://hooks.example.com/new"]);
  });

  it("An alert that the old address accepts after a change is not shown as delivered", async () => {
    const account = await openWithWebhook();
    await usePercent(account, 50);
    const [message] = await waitForMessages(account.queue, 1);
    const meter = meterOf(account.id);
    const old = await meter.beginRun(message as never);
    await putWebhook(account, "https://hooks.example.com/new");
    const [next] = await ringAlarm(account);
    expect(await meter.beginRun(next as never)).toMatchObject({ url: "https://hooks.example.com/new" });
    const place = old?.events[0]?.place ?? 0;
    const result = { place, at: Date.now(), durationMs: 1, error: null, status: 200, answer: "" };
    const end = { webhookId: old?.webhookId ?? "", results: [result], elapsedMs: 1, goesOn: true };
    await meter.endRun(message as never, end);
    await meter.endRun(next as never, end);
    expect(await webhookDelivery(account)).toMatchObject({ state: "pending", attempts: 0 });
    expect(await shownWebhook(account)).toMatchObject({ lastDelivery: null });
  });

  it("An alert raised by an upload is sent at once, before the upload's alarm in two minutes", async () => {
    const account = await openWithWebhook();
    await setUsedTenths(account.id, 5_000_000 - 10);
    await takeQueue(account.id, account.queue);
    await uploadOne(account.token, { name: "a.png", bytes: png() });
    expect((await waitForMessages(account.queue, 1)).length).toBe(1);
  });

  it("An alert is not sent after its webhook was deleted, until the account has another", async () => {
    const account = await openWithWebhook();
    await usePercent(account, 50);
    const [message] = await waitForMessages(account.queue, 1);
    await call("/settings/webhook", { method: "DELETE", headers: bearer(account.token) });
    await deliver(message as never);
    expect(await deliverAll(account)).toBe(0);
    expect(internet.received).toEqual([]);
    await putWebhook(account, URL_);
    await deliverAll(account);
    expect(internet.received.length).toBe(1);
  });

  it("An alert is sent again if its message or the end of its attempt was lost", async () => {
    const account = await openWithWebhook();
    await usePercent(account, 50);
    const [lost] = await waitForMessages(account.queue, 1);
    const [again] = await ringAlarm(account);
    expect(again).toMatchObject({ run: (lost as EventsDue).run + 1 });
    // The message was taken, and the consumer was killed.
    await meterOf(account.id).beginRun(again as never);
    await deliver(again as never);
    expect(internet.received).toEqual([]);
    const [next] = await ringAlarm(account);
    await deliver(next as never);
    expect(await webhookDelivery(account)).toMatchObject({ state: "delivered", attempts: 1 });
    // The lost message arrives late.
    await deliver(lost as never);
    expect(internet.received.length).toBe(1);
  });

  it("An alert waits while the queue is away", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const account = await openWithWebhook();
    account.queue.isOut = true;
    await usePercent(account, 50);
    expect(await ringAlarm(account)).toEqual([]);
    expect(await webhookDelivery(account)).toMatchObject({ state: "pending", nextAttemptAt: expect.any(String) });
    account.queue.isOut = false;
    expect((await ringAlarm(account)).length).toBe(1);
  });

  it("An alert is retried by its queue if the account's object is unreachable, and not sent", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const account = await openWithWebhook();
    await usePercent(account, 50);
    const [message] = await waitForMessages(account.queue, 1);
    const unreachable = {
      getByName: () => ({ beginRun: () => Promise.reject(new Error("Durable Object reset")) }),
    };
    for (const queue of ["media-host-alerts", "media-host-alerts-dead"]) {
      expect(await deliver(message as never, { ACCOUNT_METER: unreachable }, queue)).toBe("retried");
    }
    expect(internet.received).toEqual([]);
    expect(await deliver(message as never, {}, "media-host-alerts-dead")).toBe("acked");
    expect(internet.received.length).toBe(1);
  });

  it("An alert is not sent once the account is being erased", async () => {
    const account = await openWithWebhook();
    await usePercent(account, 50);
    const [message] = await waitForMessages(account.queue, 1);
    await callJson("DELETE", "/account", account.token, { password: account.password });
    expect(await deliver(message as never)).toBe("acked");
    expect(internet.received).toEqual([]);
  });
});

describe("Webhook host", () => {
  it.each([
    ["127.0.0.1"],
    ["10.0.0.1"],
    ["169.254.169.254"],
    ["100.64.0.1"],
    ["::1"],
    ["fd00::1"],
    ["fe80::1"],
    ["::ffff:10.0.0.1"],
    ["64:ff9b::a00:1"],
  ])(
    "A webhook host that resolves to %s at the second lookup gets nothing, and the failure is shown",
    async (address) => {
      const account = await openAlerted();
      internet.name("rebind.example.com", ["93.184.215.14"], [address]);
      expect((await putWebhook(account, "https://rebind.example.com/")).status).toBe(200);
      await usePercent(account, 50);
      await deliver((await waitForMessages(account.queue, 1))[0] as never);
      expect(internet.received).toEqual([]);
      expect(await webhookDelivery(account)).toMatchObject({ state: "pending", error: "address", status: null });
    },
  );

  it("A webhook host is resolved before each attempt, in both families", async () => {
    const account = await openWithWebhook();
    internet.answer = () => new Response(null, { status: 500 });
    internet.questions.length = 0;
    await usePercent(account, 50);
    await deliver((await waitForMessages(account.queue, 1))[0] as never);
    await deliver((await ringAlarm(account))[0] as never);
    expect(internet.questions).toEqual([
      "A hooks.example.com",
      "AAAA hooks.example.com",
      "A hooks.example.com",
      "AAAA hooks.example.com",
    ]);
  });

  it("A webhook host that cannot be resolved now is tried again later", async () => {
    const account = await openWithWebhook();
    await usePercent(account, 50);
    internet.resolverAnswer = () => new Response("<html>", { status: 502 });
    await deliver((await waitForMessages(account.queue, 1))[0] as never);
    expect(await webhookDelivery(account)).toMatchObject({ error: "dns", state: "pending" });
    expect(internet.received).toEqual([]);
  });
});

describe("E-mail delivery", () => {
  const mails: Record<string, unknown>[] = [];
  const EMAIL = { send: async (mail: Record<string, unknown>) => mails.push(mail) };
  const MAIL = { EMAIL, MAIL_FROM: "alerts@media.example" };

  beforeEach(() => {
    mails.length = 0;
  });

  async function raiseByMail(bindings: Record<string, unknown> = MAIL): Promise<AlertedAccount> {
    const account = await openAlerted();
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
      storage.sql.exec("UPDATE account SET used_tenths = ?", 8_999_999);
    });
    await restoreStores(account.id);
    await takeQueue(account.id, account.queue, bindings);
    await meterOf(account.id).recordViews([{ id: crypto.randomUUID(), at: Date.now(), resourceId: "x" }]);
    return account;
  }

  it("An alert is sent by mail, as plain text and HTML, if the binding exists", async () => {
    const account = await raiseByMail();
    const [message] = await waitForMessages(account.queue, 1);
    expect(message).toMatchObject({ channel: "email", attempt: 1 });
    await deliver(message as never, MAIL);
    expect(mails).toEqual([
      {
        from: "alerts@media.example",
        to: account.email,
        subject: "90 % of this month's operations are used",
        text: expect.stringContaining("900,000 of this month's 1,000,000 operations"),
        html: expect.stringContaining("<p>Your account has used 900,000 of this month&#39;s 1,000,000 operations"),
      },
    ]);
    const [alert] = await listAlerts(account);
    expect(alert?.deliveries).toMatchObject({ webhook: null, email: { state: "delivered", attempts: 1 } });
  });

  it("An e-mail is retried if it cannot be sent or the directory is away", async () => {
    const account = await raiseByMail();
    const [message] = await waitForMessages(account.queue, 1);
    const broken = { send: () => Promise.reject(Object.assign(new Error("over quota"), { code: "E_RATE_LIMIT" })) };
    await deliver(message as never, { ...MAIL, EMAIL: broken });
    const [alert] = await listAlerts(account);
    expect(alert?.deliveries.email).toMatchObject({ state: "pending", error: "email", attempts: 1 });
    const [second] = await ringAlarm(account);
    vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await deliver(second as never, { ...MAIL, ...failingDatabases() })).toBe("retried");
    const [third] = await ringAlarm(account);
    await deliver(third as never, MAIL);
    expect(mails.length).toBe(1);
  });

  it("An e-mail is accepted by the platform's binding unchanged", async () => {
    const account = await raiseByMail();
    const [message] = await waitForMessages(account.queue, 1);
    const { EMAIL: binding } = env as unknown as { EMAIL: SendEmail };
    const sent: EmailSendResult[] = [];
    const watched = { send: async (mail: EmailMessageBuilder) => sent.push(await binding.send(mail)) };
    await deliver(message as never, { ...MAIL, EMAIL: watched });
    expect(sent).toEqual([{ messageId: expect.any(String) }]);
    expect((await listAlerts(account))[0]?.deliveries.email).toMatchObject({ state: "delivered", attempts: 1 });
  });

  it.each([
    ["the sender", { EMAIL, MAIL_FROM: "" }],
    ["the binding", { EMAIL: undefined, MAIL_FROM: "alerts@media.example" }],
  ])("An e-mail is not planned if %s is missing", async (_, bindings) => {
    const account = await raiseByMail(bindings);
    expect((await listAlerts(account))[0]?.deliveries).toEqual({ webhook: null, email: null });
  });
});
