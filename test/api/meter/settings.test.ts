import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { meterOf, readMeter, replaceStores, replayTwice, restoreStores } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { failingDatabases } from "../../support/api/databases.ts";
import { gatedDatabase } from "../../support/api/gated-database.ts";
import { writePng } from "../../support/png/write-png.ts";

/** A picture that is not packed at all, so that compression makes it smaller. */
const PICTURE = new Uint8Array(
  writePng({ width: 64, height: 64, colorType: 2, bitDepth: 8, level: 0, pixel: (x, y) => [x, y, 0] }),
);

function change(account: TestAccount, settings: Record<string, unknown>): Promise<Response> {
  return callJson("PATCH", "/settings", account.token, settings);
}

async function settingsOf(account: TestAccount): Promise<unknown> {
  return (await call("/settings", { headers: bearer(account.token) })).json();
}

async function settingsInD1(account: TestAccount): Promise<unknown> {
  return env.DB.prepare("SELECT auto_compress, compression_quality FROM accounts WHERE id = ?")
    .bind(account.id)
    .first();
}

async function setSettingsInD1(account: TestAccount, autoCompress: number, quality: number): Promise<void> {
  await env.DB.prepare("UPDATE accounts SET auto_compress = ?, compression_quality = ? WHERE id = ?")
    .bind(autoCompress, quality, account.id)
    .run();
}

describe("Settings of an account", () => {
  it("An upload uses the settings of the account's object, even if those in D1 differ", async () => {
    const account = await openAccount();
    await change(account, { autoCompress: true, compressionQuality: 77 });
    await setSettingsInD1(account, 0, 50);
    const stored = await uploadOne(account.uploadKey, { name: "a.png", bytes: PICTURE });
    expect(stored).toMatchObject({ compressed: true, compressionQuality: 77 });
    expect(await settingsOf(account)).toMatchObject({ autoCompress: true, compressionQuality: 77 });
  });

  it("Settings change at once during an outage of D1, which gets them later", async () => {
    const account = await openAccount();
    await replaceStores(account.id, failingDatabases());
    expect((await change(account, { autoCompress: true })).status).toBe(503);
    await restoreStores(account.id);
    expect(await settingsOf(account)).toMatchObject({ autoCompress: true, compressionQuality: 65 });
    expect(await settingsInD1(account)).toEqual({ auto_compress: 0, compression_quality: 65 });
    expect((await replayTwice(account.id)).intents).toEqual([]);
    expect(await settingsInD1(account)).toEqual({ auto_compress: 1, compression_quality: 65 });
  });

  it("Settings changed at the same time are all changed, and D1 has the last ones in the end", async () => {
    const account = await openAccount();
    const DB = gatedDatabase(async (values) => {
      if (values.includes(51)) await new Promise((resolve) => setTimeout(resolve, 200));
    });
    await replaceStores(account.id, { DB });
    const changes = [{ compressionQuality: 51 }, { autoCompress: true }, { compressionQuality: 52 }];
    const answers: Promise<Response>[] = [];
    for (const settings of changes) {
      answers.push(change(account, settings));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await restoreStores(account.id);
    expect(await settingsOf(account)).toMatchObject({ autoCompress: true, compressionQuality: 52 });
    expect(await settingsInD1(account)).toEqual({ auto_compress: 1, compression_quality: 52 });
    expect((await readMeter(account.id)).intents).toEqual([]);
  });

  it("Settings of an account that is being erased cannot be changed", async () => {
    const account = await openAccount();
    await callJson("DELETE", "/account", account.token, { password: account.password });
    expect(await meterOf(account.id).setSettings({ autoCompress: true })).toBeUndefined();
  });
});
