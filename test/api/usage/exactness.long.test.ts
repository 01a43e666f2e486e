import { expect, it } from "vitest";
import { TIERS } from "../../../src/domain/tiers.ts";
import { expectConsistent } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, openProAccount, upload } from "../../support/api/api.ts";
import { waitForQuietMinute } from "../../support/api/quiet-minute.ts";
import { png } from "../../support/media/samples.ts";
import { giveAccountsWholeMemory } from "../../support/uploads/whole-memory.ts";
import { type Answer, admittedInWindow, sendMixed, type UsageClient } from "../../support/usage/exactness.ts";

const MIXED = 500;

giveAccountsWholeMemory(MIXED);

async function toAnswer(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function clientOf(token: string): UsageClient {
  const send = async (path: string, method: string) => toAnswer(await call(path, { method, headers: bearer(token) }));
  return {
    get: (path) => send(path, "GET"),
    remove: (path) => send(path, "DELETE"),
    upload: async (sizes) =>
      toAnswer(
        await upload(
          token,
          sizes.map((size) => ({ name: "a.png", bytes: png(1, 1, size) })),
        ),
      ),
  };
}

it("500 simultaneous uploads and deletions of one account leave every figure exact", async () => {
  const account = await openAccount("business");
  await waitForQuietMinute(45_000);
  const figures = await sendMixed(clientOf(account.token), MIXED);
  expect(figures.filter(({ expected, shown }) => shown !== expected)).toEqual([]);
  await expectConsistent(account.id);
}, 240_000);

it("64 clients are admitted exactly as often as the limit allows, while their meter is awake", async () => {
  const account = await openProAccount();
  await waitForQuietMinute(30_000);
  expect(await admittedInWindow(clientOf(account.apiKey), 64)).toBe(TIERS.pro.requestsPerMinute);
}, 120_000);
