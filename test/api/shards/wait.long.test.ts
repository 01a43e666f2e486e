import { expect, it } from "vitest";
import { readMeter, replayIntents } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, uploadOne } from "../../support/api/api.ts";
import { inLibraries } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";

it("During a long move changes are 503 with the time to retry, and reads work", async () => {
  const account = await openAccount();
  const file = { name: "a.png", bytes: png() };
  const [kept, doomed] = [await uploadOne(account.uploadKey, file), await uploadOne(account.uploadKey, file)];
  const say = (state: string) => inLibraries("UPDATE libraries SET state = ? WHERE id = ?", state, account.id);
  await say("leaving");
  const answers = await Promise.all([
    callJson("PATCH", `/images/${kept._id}`, account.token, { favorite: true }),
    callJson("POST", "/folders", account.token, { name: "One" }),
    callJson("POST", "/images/bulk-trash", account.token, { ids: [kept._id] }),
    call(`/images/${doomed._id}`, { method: "DELETE", headers: bearer(account.token) }),
  ]);
  for (const answer of answers) {
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await answer.json()).toMatchObject({ statusCode: 503, details: { retryAfter: 5 } });
  }
  expect((await call("/images", { headers: bearer(account.token) })).status).toBe(200);
  await say("here");
  // An announced deletion is carried out.
  await replayIntents(account.id);
  expect((await readMeter(account.id)).intents).toEqual([]);
  const { images } = await (await call("/images", { headers: bearer(account.token) })).json<{
    images: { _id: string; favorite: boolean }[];
  }>();
  expect(images).toMatchObject([{ _id: kept._id, favorite: false }]);
}, 60_000);
