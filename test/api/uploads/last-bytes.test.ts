import { describe, expect, it } from "vitest";
import { readMeter, storedKeys, uploadRowIds } from "../../support/api/account-state.ts";
import type { UploadResult } from "../../support/api/api.ts";
import { LIMIT, openFullAccount, send, sendStream } from "../../support/uploads/full-account.ts";
import { giveAccountsWholeMemory } from "../../support/uploads/whole-memory.ts";

giveAccountsWholeMemory();

const MIB = 1024 * 1024;

describe("Races for the last free bytes", () => {
  it.each([
    ["two small ones", 100_000, 60_000, 2],
    ["two that want all of it", 100_000, 100_000, 2],
    ["eight small ones", 100_000, 60_000, 8],
    ["two large ones", 9 * MIB, 6 * MIB, 2],
    ["two large ones, the second over in its middle", 14 * MIB, 8 * MIB, 2],
    ["four large ones", 7 * MIB, 7 * MIB, 4],
  ])(
    "Uploads that race for the last free bytes (%s): exactly one wins, and the figure is exact",
    async (_, freeBytes, sizeBytes, count) => {
      const account = await openFullAccount(freeBytes);
      const responses = await Promise.all(Array.from({ length: count }, () => send(account, [sizeBytes])));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(count - 1).fill(413)]);
      const winner = responses.find(({ status }) => status === 201);
      const result = await winner?.json<UploadResult>();
      expect(await storedKeys(account.id)).toEqual([result?.filename]);
      expect(await uploadRowIds(account.id)).toEqual([result?._id]);
      const { storageBytes, usedTenths, intents } = await readMeter(account.id);
      expect({ storageBytes, usedTenths, intents }).toEqual({
        storageBytes: LIMIT - freeBytes + sizeBytes,
        usedTenths: 10,
        intents: [],
      });
    },
  );

  it.each([
    ["two of one part", 9 * MIB, 6 * MIB, 2],
    ["two that have both begun", 24 * MIB, 20 * MIB, 2],
    ["three that have all begun", 34 * MIB, 26 * MIB, 3],
  ])(
    "Uploads of unknown length that race (%s): exactly one wins, and the figure is exact",
    async (_, freeBytes, sizeBytes, count) => {
      const account = await openFullAccount(freeBytes);
      const responses = await Promise.all(Array.from({ length: count }, () => sendStream(account, [sizeBytes])));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(count - 1).fill(413)]);
      expect(await storedKeys(account.id)).toHaveLength(1);
      const { storageBytes, usedTenths, intents } = await readMeter(account.id);
      expect({ storageBytes, usedTenths, intents }).toEqual({
        storageBytes: LIMIT - freeBytes + sizeBytes,
        usedTenths: 10,
        intents: [],
      });
    },
  );

  it("Uploads that race are refused only for lack of storage: as many succeed as fit", async () => {
    const account = await openFullAccount(250_000);
    const responses = await Promise.all(Array.from({ length: 6 }, () => send(account, [100_000])));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    expect((await readMeter(account.id)).storageBytes).toBe(LIMIT - 50_000);
  });
});
