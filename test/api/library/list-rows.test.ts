import { expect, it } from "vitest";
import { openLibraries } from "../../../src/db/library/library.ts";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import type { AccountContext } from "../../../src/services/context.ts";
import { listImages } from "../../../src/services/images/list-images.ts";
import { openAccount } from "../../support/api/api.ts";
import { libraries, shardOf } from "../../support/api/databases.ts";
import { CountedD1 } from "../../support/costs/counted-d1.ts";
import { seedUploads } from "../../support/reconcile/seed-uploads.ts";

it("A page without filters reads one row for each of its uploads and a few for the total", async () => {
  const { id: accountId } = await openAccount();
  const keys = await seedUploads(accountId, 300, { objects: false });
  const shard = await shardOf(accountId);
  const counted = new CountedD1(libraries.bindingOf(shard));
  const context = {
    library: openLibraries({ [`LIBRARY_${shard}`]: counted as unknown as D1Database }).open(shard),
    accountId,
    config: { jwtSecret: onlySecret("secret") },
    principal: { kind: "session" },
    waitUntil: () => {},
  } as unknown as AccountContext;
  for (const status of ["active", "all"] as const) {
    counted.rowsRead = 0;
    const first = { status, page: 1, limit: 50, tags: [], excludedTags: [] };
    const { rows, total, nextCursor } = await listImages(context, first);
    const { rows: next } = await listImages(context, { ...first, cursor: nextCursor ?? undefined });
    expect([...rows, ...next].map(({ objectKey }) => objectKey)).toEqual(keys.toReversed().slice(0, 100));
    expect(total).toBe(300);
    expect(counted.rowsRead).toBeLessThan(2 * 60);
  }
});
