import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { expectConsistent, meterOf, readMeter, replayTwice, setStorageBytes } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  openAccount,
  setTier,
  type UploadResult,
  upload,
  uploadOne,
} from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { multipartBody, seeded } from "../../support/uploads/multipart.ts";
import { postMultipart } from "../../support/uploads/post-multipart.ts";
import { giveAccountsWholeMemory } from "../../support/uploads/whole-memory.ts";

giveAccountsWholeMemory();

it("The stores agree after any simultaneous requests of an account", async () => {
  const account = await openAccount("business");
  const random = seeded(42);
  const known: string[] = [];
  let deleted = 0;

  const actions = [
    async function storeSeveral() {
      const files = Array.from({ length: 1 + random(4) }, (_, i) => ({
        name: `${i}.png`,
        bytes: png(1, 1, 100 + random(5000)),
      }));
      const response = await upload(account.token, files);
      expect(response.status).toBe(201);
      const body = await response.json<UploadResult & { uploaded?: UploadResult[] }>();
      known.push(...(body.uploaded ?? [body]).map(({ _id }) => _id));
    },
    async function storeLarge() {
      const response = await upload(account.token, [{ name: "a.mp4", bytes: mp4(5_300_000 + random(1000)) }]);
      expect(response.status).toBe(201);
      known.push((await response.json<UploadResult>())._id);
    },
    async function breakOff() {
      const file = { name: "file", filename: "a.mp4", content: mp4(6_000_000) };
      const body = multipartBody("edge", [{ ...file, content: png(1, 1, 500) }, file]);
      const response = await postMultipart(account.token, body.subarray(0, random(body.length - 20)));
      expect(response.status).toBe(400);
    },
    async function removeOne() {
      const id = known[random(Math.max(1, known.length))] ?? "unknown";
      const response = await call(`/images/${id}`, { method: "DELETE", headers: bearer(account.token) });
      expect([200, 404]).toContain(response.status);
      if (response.status === 200) deleted += 1;
    },
    async function trashOrRestore() {
      const action = random(2) === 0 ? "trash" : "restore";
      const response = await callJson("POST", `/images/bulk-${action}`, account.token, { ids: [...known, "unknown"] });
      expect(response.status).toBe(200);
    },
  ];
  const client = async () => {
    for (let step = 0; step < 8; step++) await actions[random(actions.length)]?.();
  };
  await Promise.all(Array.from({ length: 6 }, client));

  await expectConsistent(account.id);
  const { operations, usedTenths } = await readMeter(account.id);
  expect(operations.filter(({ type }) => type === "upload")).toHaveLength(known.length);
  expect(operations.filter(({ type }) => type === "delete")).toHaveLength(deleted);
  expect(usedTenths).toBe(10 * (known.length + deleted));
  expect(deleted).toBeGreaterThan(0);
  const response = await call("/images?status=all", { headers: bearer(account.token) });
  expect(await response.json()).toMatchObject({ pagination: { total: known.length - deleted } });
  await replayTwice(account.id);
  await expectConsistent(account.id);
});

it("A deletion makes room at once for an upload that waits for it", async () => {
  const account = await openAccount();
  const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 9000) });
  await setStorageBytes(account.id, 1024 ** 3);
  const file = { name: "b.png", bytes: png(1, 1, 9000) };
  expect((await upload(account.token, [file])).status).toBe(413);
  await call(`/images/${first._id}`, { method: "DELETE", headers: bearer(account.token) });
  const racing = await Promise.all([upload(account.token, [file]), upload(account.token, [file])]);
  expect(racing.map(({ status }) => status).sort()).toEqual([201, 413]);
  expect((await readMeter(account.id)).storageBytes).toBe(1024 ** 3);
});

it("Simultaneous tier changes leave the same tier in D1 and in the account's object", async () => {
  const account = await openAccount();
  for (let round = 0; round < 3; round++) {
    const tiers = ["pro", "free", "business", "starter"] as const;
    await Promise.all(tiers.map((tier) => setTier(account.email, tier)));
    const row = await env.DB.prepare("SELECT tier FROM accounts WHERE id = ?").bind(account.id).first("tier");
    expect((await meterOf(account.id).read())?.tier).toBe(row);
    expect((await readMeter(account.id)).intents).toEqual([]);
  }
});
