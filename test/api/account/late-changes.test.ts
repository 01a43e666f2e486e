import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  changePassword,
  changeSettings,
  changeTier,
  replaceUploadKey,
} from "../../../src/db/directory/account-changes.ts";
import { findAccount } from "../../../src/db/directory/accounts.ts";
import { openDirectory } from "../../../src/db/directory/directory.ts";
import { listKeys } from "../../../src/db/directory/keys.ts";
import { newId } from "../../../src/domain/ids.ts";
import { openAccount } from "../../support/api/api.ts";

// A message that an object sent before its reset may arrive after its later messages.

const directory = openDirectory(env);
const uploadKey = () => {
  const id = newId(Date.now());
  return { id, hash: id, lastFour: "aaaa", createdAt: 1 };
};
const livingKeys = async (accountId: string) =>
  (await listKeys(directory, accountId, { kind: "upload" })).map(({ id }) => id);

describe("Late account changes", () => {
  it("A late change of settings does not replace a newer one", async () => {
    const accountId = (await openAccount("starter")).id;
    const made = (changedAt: number) => ({ accountId, changedAt });
    await changeSettings(directory, made(2), { autoCompress: true, compressionQuality: 50 });
    await changeSettings(directory, made(1), { autoCompress: false, compressionQuality: 90 });
    expect(await findAccount(directory, accountId)).toMatchObject({ autoCompress: true, compressionQuality: 50 });
    await changeSettings(directory, made(3), { autoCompress: true, compressionQuality: 70 });
    expect(await findAccount(directory, accountId)).toMatchObject({ compressionQuality: 70 });
  });

  it("A late change of the password does not replace a newer one", async () => {
    const accountId = (await openAccount("free")).id;
    await changePassword(directory, { accountId, changedAt: Number.MAX_SAFE_INTEGER }, "new");
    await changePassword(directory, { accountId, changedAt: Date.now() }, "old");
    expect((await findAccount(directory, accountId))?.passwordHash).toBe("new");
  });

  it("A late change of tier does not replace a newer one, and creates no key", async () => {
    const accountId = (await openAccount("free")).id;
    const first = await livingKeys(accountId);
    await env.DB.prepare("UPDATE keys SET revoked_at = 1 WHERE account_id = ?").bind(accountId).run();
    const late = Date.now() + 60_000;
    await changeTier(directory, { accountId, changedAt: late }, { tier: "pro", billingAnchorAt: 5 }, null);
    const older = { accountId, changedAt: late - 1 };
    await changeTier(directory, older, { tier: "free", billingAnchorAt: null }, uploadKey());
    expect(await findAccount(directory, accountId)).toMatchObject({ tier: "pro", billingAnchorAt: 5 });
    expect(first).toHaveLength(1);
    expect(await livingKeys(accountId)).toEqual([]);
  });

  it("A late change of the upload key does not replace a newer one", async () => {
    const accountId = (await openAccount("free")).id;
    const [older, newer] = [uploadKey(), uploadKey()];
    const late = Date.now() + 60_000;
    await replaceUploadKey(directory, { accountId, changedAt: late }, newer, 9);
    await replaceUploadKey(directory, { accountId, changedAt: late - 1 }, older, 9);
    expect(await livingKeys(accountId)).toEqual([newer.id]);
  });

  it("A change is only compared with changes of its own kind", async () => {
    const accountId = (await openAccount("free")).id;
    const late = Date.now() + 60_000;
    await changePassword(directory, { accountId, changedAt: late }, "new");
    await changeSettings(directory, { accountId, changedAt: late - 1 }, { autoCompress: true, compressionQuality: 31 });
    expect(await findAccount(directory, accountId)).toMatchObject({ passwordHash: "new", compressionQuality: 31 });
  });
});
