import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AlertedAccount, deliver, ringAlarm } from "../../support/alerts/alerts.ts";
import { Internet, type Received } from "../../support/alerts/internet.ts";
import { ageProofs, meterOf, replaceStores, restoreStores } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount, setTier, uploadOne } from "../../support/api/api.ts";
import {
  deliverAll,
  deliverDue,
  HOOK,
  listDeliveries,
  openHooked,
  putNamed,
  readEvents,
  type ShownEvent,
  showNamed,
} from "../../support/events/events.ts";
import { png } from "../../support/media/samples.ts";

let internet: Internet;

beforeEach(() => {
  internet = new Internet();
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

const eventOf = ({ body }: Received) => JSON.parse(body) as ShownEvent;
const namesOf = () => internet.received.map((received) => eventOf(received).data.originalFilename);
const sentTypes = () => internet.received.map((received) => eventOf(received).type);
const uploadNamed = async ({ token }: AlertedAccount, name: string) => uploadOne(token, { name, bytes: png() });
const patch = (token: string, id: string, body: unknown) => callJson("PATCH", `/images/${id}`, token, body);

describe("/settings/webhooks", () => {
  it("`/settings/webhooks` stores, lists, shows, changes and deletes webhooks; the secret is shown once", async () => {
    const { token, apiKey } = await openProAccount();
    const set = await putNamed({ token }, "shop", { events: ["upload.completed", "upload.completed"] });
    const shown = {
      name: "shop",
      url: HOOK,
      events: ["upload.completed"],
      createdAt: expect.stringMatching(/Z$/),
      state: "active",
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      nextAttemptAt: null,
    };
    expect([set.status, await set.json()]).toEqual([
      200,
      { ...shown, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
    ]);
    await putNamed({ token: apiKey }, "a-1");
    const list = await (await call("/settings/webhooks", { headers: bearer(token) })).json();
    expect(list).toEqual({
      webhooks: [expect.objectContaining({ name: "a-1" }), shown],
      pagination: { nextCursor: null },
    });
    expect(await showNamed({ token })).toEqual(shown);
    for (const status of [200, 404]) {
      const deleted = await call("/settings/webhooks/shop", { method: "DELETE", headers: bearer(token) });
      expect(deleted.status).toBe(status);
    }
    expect((await call("/settings/webhooks/shop", { headers: bearer(token) })).status).toBe(404);
  });

  it.each([
    ["A", { name: "Must be 1 to 40 small letters, digits and hyphens" }],
    ["a_b", { name: "Must be 1 to 40 small letters, digits and hyphens" }],
    ["a".repeat(41), { name: "Must be 1 to 40 small letters, digits and hyphens" }],
  ])("A webhook cannot be named %s", async (name, details) => {
    const { token } = await openAccount("pro");
    const response = await putNamed({ token }, name);
    expect([response.status, await response.json()]).toMatchObject([400, { details }]);
  });

  it.each([
    { events: [] },
    { events: ["upload.started"] },
    { events: "upload.completed" },
    { url: "https://127.0.0.1/" },
    { url: "http://hooks.example.com/" },
  ])("A webhook %j is 400", async (body) => {
    const { token } = await openAccount("pro");
    expect((await putNamed({ token }, "shop", body as never)).status).toBe(400);
  });

  it("A webhook is changed only with a recent proof", async () => {
    const account = await openAccount("pro");
    await ageProofs(account.id);
    const response = await putNamed(account, "shop");
    expect([response.status, await response.json()]).toMatchObject([403, { code: "reauthentication_required" }]);
  });

  it.each([
    ["free", 1],
    ["starter", 1],
    ["pro", 5],
    ["business", 5],
  ] as const)("An account of the tier %s has at most %i webhooks, also by requests at once", async (tier, most) => {
    const account = await openAccount(tier);
    const responses = await Promise.all(Array.from({ length: most + 2 }, (_, index) => putNamed(account, `n${index}`)));
    expect(responses.filter(({ status }) => status === 200).length).toBe(most);
    const refused = responses.find(({ status }) => status !== 200);
    expect([refused?.status, await refused?.json()]).toMatchObject([400, { code: "count_limit_reached" }]);
    const list = await (await call("/settings/webhooks", { headers: bearer(account.token) })).json<{ webhooks: [] }>();
    expect(list.webhooks.length).toBe(most);
  });

  it("A webhook for which a lower tier has no room is paused, and continues in a higher tier", async () => {
    const account = await openHooked();
    await putNamed(account, "second", { url: "https://hooks.example.com/second" });
    await setTier(account.email, "starter");
    expect([await showNamed(account, "shop"), await showNamed(account, "second")]).toMatchObject([
      { state: "active" },
      { state: "paused" },
    ]);
    await replaceStores(account.id, { ALERTS: account.queue } as never);
    await uploadNamed(account, "a.png");
    await deliverAll(account);
    expect(internet.received.map(({ url }) => url)).toEqual([HOOK]);
    await setTier(account.email, "pro");
    await replaceStores(account.id, { ALERTS: account.queue } as never);
    await deliverAll(account);
    expect(internet.received.map(({ url }) => url)).toEqual([HOOK, "https://hooks.example.com/second"]);
  });
});

describe("delivery of events", () => {
  it("Events are sent signed, after settlement, each once and only of the wanted types", async () => {
    const account = await openHooked({ events: ["upload.completed", "image.deleted"] });
    const { _id, url } = await uploadNamed(account, "a.png");
    await patch(account.token, _id, { favorite: true });
    await call(`/images/${_id}`, { method: "DELETE", headers: bearer(account.token) });
    expect(await deliverAll(account)).toBe(1);
    expect(sentTypes()).toEqual(["upload.completed", "image.deleted"]);
    expect(internet.verifyLast(account.secret)).toMatchObject({ type: "image.deleted", data: { _id } });
    expect(new URL(eventOf(internet.received[0] as Received).data.url as string).pathname).toBe(new URL(url).pathname);
    expect(await deliverAll(account)).toBe(0);
  });

  it("An event reaches its receiver through the object's alarm and the queue", async () => {
    const account = await openAccount();
    await putNamed(account, "shop");
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() });
    await expect.poll(() => internet.received.length, { timeout: 10_000 }).toBe(1);
    expect(eventOf(internet.received[0] as Received)).toMatchObject({ type: "upload.completed", data: { _id } });
  });

  it("Many events share a run, and none is lost between two runs", async () => {
    const account = await openHooked({ events: ["image.updated"] });
    const ids: string[] = [];
    for (let index = 0; index < 70; index++) ids.push((await uploadNamed(account, `${index}.png`))._id);
    await callJson("POST", "/images/bulk-update", account.token, { ids, favorite: true });
    expect(await deliverDue(account)).toBe(1);
    expect(internet.received.map((received) => eventOf(received).data._id).sort()).toEqual([...ids].sort());
  });

  it("A refused event is set aside with later ones of its upload, and other uploads' events continue", async () => {
    const account = await openHooked();
    const bad = await uploadNamed(account, "bad.png");
    internet.answer = ({ body }) => new Response("I dislike it", { status: body.includes("bad.png") ? 500 : 200 });
    await deliverDue(account);
    await patch(account.token, bad._id, { favorite: true });
    await uploadNamed(account, "good.png");
    await deliverDue(account);
    await uploadNamed(account, "good2.png");
    await deliverDue(account);
    expect(namesOf().filter((name) => name === "good.png" || name === "good2.png")).toEqual(["good.png", "good2.png"]);
    expect(sentTypes()).not.toContain("image.updated");
    const ids = internet.received.filter(({ body }) => body.includes("bad.png"));
    expect(new Set(ids.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    expect(new Set(ids.map(({ body }) => body)).size).toBe(1);
    internet.received.length = 0;
    internet.answer = () => new Response(null, { status: 204 });
    await deliverAll(account);
    expect(sentTypes()).toEqual(["upload.completed", "image.updated"]);
  });

  it("A refused event is given up after three days, and its webhook continues", async () => {
    const account = await openHooked({ events: ["upload.completed"] });
    internet.answer = ({ body }) => new Response(null, { status: body.includes("bad.png") ? 500 : 200 });
    await uploadNamed(account, "good.png");
    await uploadNamed(account, "bad.png");
    await deliverDue(account);
    await changeState(account, "$.aside[0].since", Date.now() - 3 * 86_400_000);
    await deliverDue(account);
    internet.received.length = 0;
    await uploadNamed(account, "good2.png");
    await deliverAll(account);
    expect(namesOf()).toEqual(["good2.png"]);
    expect(await showNamed(account)).toMatchObject({ state: "active" });
  });

  it.each([
    ["is dead", () => Promise.reject(new TypeError("Network connection lost."))],
    ["is too busy", () => new Response(null, { status: 503 })],
  ])("A receiver that %s gets one try at a time, and everything in order afterwards", async (_, answer) => {
    const account = await openHooked({ events: ["upload.completed", "image.updated"] });
    internet.answer = answer as never;
    const { _id } = await uploadNamed(account, "a.png");
    await patch(account.token, _id, { favorite: true });
    await deliverDue(account);
    await deliverDue(account);
    expect(internet.received.length).toBe(2);
    expect(await showNamed(account)).toMatchObject({
      state: "active",
      failingSince: expect.any(String),
      nextAttemptAt: expect.any(String),
    });
    internet.answer = () => new Response(null, { status: 204 });
    internet.received.length = 0;
    await deliverAll(account);
    expect(sentTypes()).toEqual(["upload.completed", "image.updated"]);
    expect(await showNamed(account)).toMatchObject({ failingSince: null, nextAttemptAt: null });
  });

  it.each([
    ["redirects", () => Response.redirect("http://169.254.169.254/latest", 302), "redirect", 302],
    ["answers garbage", () => new Response(new Uint8Array(5000).fill(255), { status: 418 }), "status", 418],
  ])("A receiver that %s has its try listed and nothing else happens", async (_, answer, error, status) => {
    const account = await openHooked();
    internet.answer = answer as never;
    await uploadNamed(account, "a.png");
    await deliverDue(account);
    const [delivery] = await listDeliveries(account);
    expect(delivery).toMatchObject({ type: "upload.completed", delivered: false, error, status });
    expect(delivery?.answer.length).toBeLessThanOrEqual(1024);
    expect(internet.received.length).toBe(1);
  });

  it("A receiver whose answer never ends is not read to the end", async () => {
    const account = await openHooked();
    const endless = () => new ReadableStream({ pull: (stream) => stream.enqueue(new TextEncoder().encode("spam ")) });
    internet.answer = () => new Response(endless());
    await uploadNamed(account, "a.png");
    await deliverDue(account);
    const [delivery] = await listDeliveries(account);
    expect(delivery).toMatchObject({ delivered: true, status: 200 });
    expect(delivery?.answer).toBe("spam ".repeat(205).slice(0, 1024));
  });

  it("A slow receiver waits four times as long as it took", async () => {
    const account = await openHooked();
    await uploadNamed(account, "a.png");
    const [message] = await ringAlarm(account);
    const due = message as never;
    const begun = await meterOf(account.id).beginRun(due);
    const result = {
      place: begun?.events[0]?.place ?? 0,
      at: Date.now(),
      durationMs: 9000,
      error: null,
      status: 200,
      answer: "",
    };
    const end = { webhookId: begun?.webhookId ?? "", results: [result], elapsedMs: 9000, goesOn: false };
    const before = Date.now();
    await meterOf(account.id).endRun(due, end);
    expect(await readState(account, "$.retryAt")).toBeGreaterThanOrEqual(before + 36_000);
    expect(await showNamed(account)).toMatchObject({ failingSince: null, nextAttemptAt: null });
  });

  it("A receiver that answers 410 disables its webhook, which is mailed; set again, it gets what it missed", async () => {
    const mails: { template: string; to: string; values: unknown }[] = [];
    const account = await openHooked({ events: ["upload.completed"] });
    await takeMails(account, mails);
    internet.answer = () => new Response(null, { status: 410 });
    await uploadNamed(account, "a.png");
    await deliverDue(account);
    expect(await showNamed(account)).toMatchObject({ state: "disabled", disabledReason: "gone" });
    await uploadNamed(account, "b.png");
    expect(await deliverAll(account)).toBe(0);
    expect(mails).toMatchObject([
      {
        template: "webhook-disabled",
        to: account.email,
        values: { name: "shop", host: "hooks.example.com", reason: "gone" },
      },
    ]);
    internet.answer = () => new Response(null, { status: 200 });
    internet.received.length = 0;
    await putNamed(account, "shop", { events: ["upload.completed"] });
    await deliverAll(account);
    expect(namesOf()).toEqual(["a.png", "b.png"]);
    expect(await showNamed(account)).toMatchObject({ state: "active", disabledAt: null, disabledReason: null });
  });

  it("A receiver that accepts nothing for three days disables its webhook; a mail that fails is tried again", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const mails: { template: string; to: string; values: unknown }[] = [];
    const account = await openHooked();
    await takeMails(account, mails, () => Promise.reject(new Error("The queue is away")));
    internet.answer = () => new Response(null, { status: 500 });
    await uploadNamed(account, "a.png");
    await deliverDue(account);
    expect(await showNamed(account)).toMatchObject({ state: "active" });
    await changeState(account, "$.failingSince", Date.now() - 3 * 86_400_000);
    await deliverDue(account);
    expect(await showNamed(account)).toMatchObject({ state: "disabled", disabledReason: "failing" });
    await ringAlarm(account);
    expect(mails).toEqual([]);
    await takeMails(account, mails);
    await ringAlarm(account);
    await ringAlarm(account);
    expect(mails).toMatchObject([{ template: "webhook-disabled", values: { reason: "failing" } }]);
  });

  it("A dead receiver delays no event of another webhook of its account", async () => {
    const account = await openHooked();
    await putNamed(account, "live", { url: "https://hooks.example.com/live" });
    internet.answer = ({ url }) =>
      url === HOOK ? Promise.reject(new TypeError("Network connection lost.")) : new Response(null, { status: 200 });
    for (const name of ["a.png", "b.png"]) {
      await uploadNamed(account, name);
      await deliverDue(account);
    }
    const live = internet.received.filter(({ url }) => url.endsWith("/live"));
    expect(live.map((received) => eventOf(received).data.originalFilename)).toEqual(["a.png", "b.png"]);
  });

  it("A webhook that refuses a hundred uploads waits, and loses nothing", async () => {
    const account = await openHooked({ events: ["image.updated"] });
    const ids: string[] = [];
    for (let index = 0; index < 110; index++) ids.push((await uploadNamed(account, `${index}.png`))._id);
    internet.answer = () => new Response(null, { status: 500 });
    await callJson("POST", "/images/bulk-update", account.token, { ids, favorite: true });
    for (let index = 0; index < 4; index++) await deliverDue(account);
    expect(await showNamed(account)).toMatchObject({ state: "active", nextAttemptAt: expect.any(String) });
    internet.answer = () => new Response(null, { status: 200 });
    internet.received.length = 0;
    await deliverAll(account);
    expect(new Set(internet.received.map((received) => eventOf(received).data._id))).toEqual(new Set(ids));
  }, 60_000);

  it("A refused event that is older than 30 days is forgotten, and its webhook continues", async () => {
    const account = await openHooked({ events: ["upload.completed"] });
    internet.answer = ({ body }) => new Response(null, { status: body.includes("bad.png") ? 500 : 200 });
    await uploadNamed(account, "bad.png");
    await deliverDue(account);
    await changeState(account, "$.aside[0].places[0]", 999);
    await deliverDue(account);
    expect(await readState(account, "$.aside")).toBe("[]");
    await uploadNamed(account, "good.png");
    await deliverAll(account);
    expect(namesOf()).toEqual(["bad.png", "good.png"]);
  });

  it("A run that arrives twice at once is sent once", async () => {
    const account = await openHooked();
    await uploadNamed(account, "a.png");
    const [message] = await ringAlarm(account);
    await Promise.all([1, 2, 3].map(() => deliver(message as never)));
    expect(internet.received.length).toBe(1);
  });

  it("An erased account sends nothing more", async () => {
    const account = await openHooked();
    await uploadNamed(account, "a.png");
    const [message] = await ringAlarm(account);
    const erased = await callJson("DELETE", "/account", account.token, { password: account.password });
    expect(erased.status).toBe(200);
    expect(await deliver(message as never)).toBe("acked");
    expect(internet.received).toEqual([]);
  });
});

describe("deliveries", () => {
  it("The last hundred deliveries are listed with request, answer and time, newest first", async () => {
    const account = await openHooked({ events: ["upload.completed"] });
    internet.answer = () => new Response("thanks", { status: 202 });
    for (let index = 0; index < 105; index++) {
      await uploadNamed(account, `${index}.png`);
      if (index % 7 === 0) await deliverAll(account);
    }
    await deliverAll(account);
    const deliveries = await listDeliveries(account);
    expect(deliveries.length).toBe(100);
    expect(deliveries[0]).toMatchObject({ type: "upload.completed", delivered: true, status: 202, answer: "thanks" });
    expect(deliveries[0]?.request).toMatchObject({ url: HOOK, body: { type: "upload.completed" } });
    const names = deliveries.map(({ request }) => request.body?.data.originalFilename);
    expect(names.slice(0, 5).sort()).toEqual(["100.png", "101.png", "102.png", "103.png", "104.png"]);
    const rows = await runInDurableObject(meterOf(account.id), (_meter, { storage }) =>
      storage.sql.exec("SELECT slot FROM webhook_deliveries").toArray(),
    );
    expect(rows.length).toBeLessThanOrEqual(6);
  }, 60_000);

  it("Deliveries are read by cursor, which is of one webhook", async () => {
    const account = await openHooked({ events: ["upload.completed"] });
    await putNamed(account, "other", { url: "https://hooks.example.com/other", events: ["upload.completed"] });
    for (let index = 0; index < 5; index++) await uploadNamed(account, `${index}.png`);
    await deliverAll(account);
    interface DeliveryPage {
      readonly deliveries: readonly { readonly _id: string }[];
      readonly pagination: { readonly nextCursor: string | null };
    }
    const read = (name: string, query: string) =>
      call(`/settings/webhooks/${name}/deliveries?limit=2${query}`, { headers: bearer(account.token) });
    const ids: string[] = [];
    let last = "";
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: DeliveryPage = await (await read("shop", `&cursor=${cursor}`)).json();
      ids.push(...page.deliveries.map(({ _id }) => _id));
      cursor = page.pagination.nextCursor;
      last = cursor ?? last;
    }
    expect(ids).toEqual((await listDeliveries(account)).map(({ _id }) => _id));
    expect(new Set(ids).size).toBe(5);
    const refused = await read("other", `&cursor=${last}`);
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: "invalid_cursor" }]);
  });

  it("A delivery is sent again at once with the same `webhook-id`, and listed", async () => {
    const account = await openHooked();
    internet.answer = () => new Response("no", { status: 500 });
    await uploadNamed(account, "a.png");
    await deliverDue(account);
    const [failed] = await listDeliveries(account);
    internet.answer = () => new Response("yes");
    const path = `/settings/webhooks/shop/deliveries/${failed?._id}/redeliver`;
    const response = await call(path, { method: "POST", headers: bearer(account.token) });
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { eventId: failed?.eventId, delivered: true, status: 200, answer: "yes" },
    ]);
    expect(internet.received.map(({ headers }) => headers.get("webhook-id"))).toEqual([
      failed?.eventId,
      failed?.eventId,
    ]);
    expect((await listDeliveries(account)).map(({ delivered }) => delivered)).toEqual([true, false]);
    for (const unknown of ["x", failed?.eventId]) {
      const missing = await call(`/settings/webhooks/shop/deliveries/${unknown}/redeliver`, {
        method: "POST",
        headers: bearer(account.token),
      });
      expect([missing.status, await missing.json()]).toMatchObject([404, { code: "delivery_not_found" }]);
    }
  });

  it("Tests and redeliveries together are limited to ten an hour", async () => {
    const account = await openHooked();
    const test = () => call("/settings/webhooks/shop/test", { method: "POST", headers: bearer(account.token) });
    const statuses: number[] = [];
    for (let index = 0; index < 11; index++) statuses.push((await test()).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    expect(internet.verifyLast(account.secret)).toMatchObject({ type: "webhook.test" });
  });
});

describe("objects of earlier versions and backups", () => {
  it("The webhook of an earlier version becomes the one named `default`, with its undelivered alerts", async () => {
    const account = await openHooked();
    const alertId = "01k9x3v7wz0000000000000000";
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
      storage.sql.exec("DROP TABLE webhooks");
      storage.sql.exec(
        "CREATE TABLE webhook (one INTEGER PRIMARY KEY, id TEXT, url TEXT, created_at INTEGER, disabled_at INTEGER, last_alert_id TEXT, last_at INTEGER, last_status INTEGER, last_error TEXT)",
      );
      storage.sql.exec("INSERT INTO webhook VALUES (1, 'w', ?, 5, NULL, 'older', 7, 500, 'status')", HOOK);
      storage.sql.exec("INSERT INTO alerts VALUES (?, 50, 1, 1, 1, ?)", alertId, Date.now());
      storage.sql.exec(
        "INSERT INTO alert_deliveries (alert_id, channel, state, attempts, due_at) VALUES (?, 'webhook', 'pending', 2, 1)",
        alertId,
      );
    });
    await restoreStores(account.id);
    await replaceStores(account.id, { ALERTS: account.queue } as never);
    expect(await showNamed(account, "default")).toMatchObject({ url: HOOK, events: ["usage.alert"], state: "active" });
    const shown = await (await call("/settings/webhook", { headers: bearer(account.token) })).json();
    expect(shown).toMatchObject({ url: HOOK, lastDelivery: { alertId: "older", status: 500, error: "status" } });
    await deliverAll(account);
    expect(internet.received.map(({ headers }) => headers.get("webhook-id"))).toEqual([`msg_${alertId}`]);
  });

  it("A backup and its restore keep webhooks, events, deliveries and their progress", async () => {
    const account = await openHooked();
    await uploadNamed(account, "a.png");
    await deliverAll(account);
    await uploadNamed(account, "b.png");
    const meter = meterOf(account.id);
    const pages = [];
    for (let after: string | undefined; ; ) {
      const page = await meter.readBackup(after);
      if (page === undefined) throw new Error("There is no page");
      pages.push({ table: page.table, columns: [...page.columns], rows: page.rows.map((row) => [...row]) });
      if (page.next === null) break;
      after = page.next;
    }
    await meter.restoreBackup(pages, { isFirst: true, isLast: true });
    await replaceStores(account.id, { ALERTS: account.queue } as never);
    internet.received.length = 0;
    await deliverAll(account);
    expect(namesOf()).toEqual(["b.png"]);
    expect((await meter.listDeliveries("shop"))?.deliveries.length).toBe(2);
  });

  it("The backup of an earlier version is restored with its webhook", async () => {
    const account = await openAccount("pro");
    const columns = [
      "one",
      "id",
      "url",
      "created_at",
      "disabled_at",
      "last_alert_id",
      "last_at",
      "last_status",
      "last_error",
    ];
    const rows = [["i1", "tw", `t${HOOK}`, "i5", null, null, null, null, null]];
    const pages: { table: string; columns: string[]; rows: never[] }[] = [];
    for (let after: string | undefined; ; ) {
      const page = await meterOf(account.id).readBackup(after);
      if (page === undefined) throw new Error("There is no page");
      pages.push({ table: page.table, columns: [...page.columns], rows: page.rows.map((row) => [...row]) as never });
      if (page.next === null) break;
      after = page.next;
    }
    pages.push({ table: "webhook", columns, rows: rows as never });
    const restored = await meterOf(account.id).restoreBackup(pages, { isFirst: true, isLast: true });
    expect(restored).toEqual({ outcome: "written" });
    expect(await meterOf(account.id).listWebhooks()).toMatchObject([{ name: "default", url: HOOK }]);
  });
});

it("A reader and a webhook get the same events with the same ids", async () => {
  const account = await openHooked({ events: ["upload.completed"] });
  await uploadNamed(account, "a.png");
  await deliverAll(account);
  const { events } = await readEvents(account);
  expect(events.map(({ _id }) => _id)).toEqual(internet.received.map(({ headers }) => headers.get("webhook-id")));
});

async function takeMails(
  { id, queue }: AlertedAccount,
  mails: unknown[],
  send = async (message: unknown) => void mails.push(message),
): Promise<void> {
  const bindings = { ALERTS: queue, MAILS: { send }, MAIL_DEV: "true" };
  await replaceStores(id, bindings as never);
}

function changeState({ id }: AlertedAccount, path: string, value: number): Promise<void> {
  return runInDurableObject(meterOf(id), (_meter, { storage }) => {
    storage.sql.exec("UPDATE webhooks SET state = json_set(state, ?, ?)", path, value);
  });
}

function readState({ id }: AlertedAccount, path: string): Promise<number | string | null> {
  return runInDurableObject(
    meterOf(id),
    (_meter, { storage }) =>
      storage.sql.exec<{ value: number | string | null }>("SELECT state ->> ? AS value FROM webhooks", path).one()
        .value,
  );
}
