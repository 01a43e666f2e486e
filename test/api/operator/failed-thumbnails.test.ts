import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { bearer, openAccount } from "../../support/api/api.ts";
import { observe } from "../../support/operator/observed.ts";
import { impossible, made } from "../../support/thumbnails/processor.ts";
import { deliverOne, stored } from "../../support/thumbnails/queue.ts";
import { storeVideo } from "../../support/thumbnails/state.ts";

interface Page {
  readonly thumbnails: { readonly accountId: string; readonly uploadId: string; readonly reason: string }[];
  readonly next: string | null;
}

async function failed(query: string): Promise<Page> {
  const response = await observe(`/admin/thumbnails/failed${query}`, { headers: bearer(env.ADMIN_TOKEN) });
  expect(response.status).toBe(200);
  return response.json();
}

it("The operator's list has the videos without a possible thumbnail, with the reason", async () => {
  const account = await openAccount();
  const [refused, done] = [await storeVideo(account.id), await storeVideo(account.id), await storeVideo(account.id)];
  await deliverOne(stored(refused), { processor: () => impossible() });
  await deliverOne(stored(done), { processor: () => made() });
  const { thumbnails } = await failed(`?email=${account.email}`);
  expect(thumbnails).toEqual([{ accountId: account.id, uploadId: refused.uploadId, reason: expect.any(String) }]);
  expect(thumbnails[0]?.reason).not.toBe("");
  const all: Page["thumbnails"] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: Page = await failed(`?after=${after}`);
    all.push(...page.thumbnails);
    after = page.next;
  }
  expect(all).toContainEqual(thumbnails[0]);
});

it("The operator's list refuses an unknown account and an invalid cursor", async () => {
  const status = async (query: string) =>
    (await observe(`/admin/thumbnails/failed${query}`, { headers: bearer(env.ADMIN_TOKEN) })).status;
  expect(await status("?email=nobody@example.com")).toBe(404);
  expect(await status("?after=nonsense")).toBe(400);
});
