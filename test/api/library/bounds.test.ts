import { expect, it } from "vitest";
import { insertUploads } from "../../../src/db/library/uploads.ts";
import { listUploads } from "../../../src/db/listing/list-uploads.ts";
import { planWithoutCounts } from "../../../src/db/listing/plan-listing.ts";
import { searchNames } from "../../../src/db/listing/search-grams.ts";
import { selectStep } from "../../../src/db/listing/select-step.ts";
import type { UploadFilter } from "../../../src/db/listing/upload-filter.ts";
import { bearer, call, openAccount } from "../../support/api/api.ts";
import { libraries } from "../../support/api/databases.ts";
import { NOW, newUpload } from "../../support/uploads/new-upload.ts";

const library = libraries.open("00");
const DAY_MS = 86_400_000;
const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm"];

it("A listing with every parameter, in a library of every type, stays within D1's limits", async () => {
  const { id: accountId, token } = await openAccount("free", "00");
  const tags = Array.from({ length: 50 }, (_, i) => `t${i}`);
  const rows = TYPES.flatMap((mimeType) => [{ mimeType }, { mimeType, status: "trash" as const }]);
  await insertUploads(
    library,
    rows.map((row) => newUpload(accountId, { ...row, favorite: true, tags: [...tags.slice(1), "png"] })),
  );
  // Not every upload matches, so that no condition is left out as always true.
  await insertUploads(library, [newUpload(accountId, { createdAt: NOW - DAY_MS, tags: ["out"] })]);
  const more = `from=2026-06-01&to=2026-06-01&minSize=1&maxSize=999&favorite=true&excludeTags=out,${tags[0]}`;
  const all = `status=all&folderId=root&limit=1&tags=${tags.slice(1).join(",")}&${more}`;
  const expected = { "": 12, "mimePrefix=video/": 4, "mimePrefix=image/": 8, "q=PNG": 12, "q=png&mimePrefix=v": 4 };
  for (const [asked, total] of Object.entries(expected)) {
    const response = await call(`/images?${all}&${asked}`, { headers: bearer(token) });
    expect(response.status, asked).toBe(200);
    expect(await response.json()).toMatchObject({ pagination: { total, nextCursor: expect.any(String) } });
  }
});

it("A listing that is planned without counts shows the same", async () => {
  const { id: accountId } = await openAccount("free", "00");
  const variants = TYPES.flatMap((mimeType, at) => [
    { mimeType, sizeBytes: 100 + at, favorite: at % 2 === 0, tags: at % 3 === 0 ? ["a", "i"] : ["png"] },
    { mimeType, status: "trash" as const, createdAt: NOW - at * DAY_MS },
  ]);
  await insertUploads(
    library,
    variants.map((fields) => newUpload(accountId, fields)),
  );
  const all = { status: "all", folderId: undefined, tags: [], excludedTags: [] } as const;
  const search = (text: string) => ({ tag: text, names: searchNames(accountId, `uploads/${accountId}/`, text) });
  const filters: [UploadFilter, number][] = [
    [all, 12],
    [{ ...all, folderId: null, status: "active" }, 6],
    [{ ...all, mimePrefix: "video/" }, 4],
    [{ ...all, mimePrefix: "image/", favorite: true }, 2],
    [{ ...all, mimePrefix: "other" }, 0],
    [{ ...all, tags: ["a", "i"] }, 2],
    [{ ...all, excludedTags: ["a", "png"] }, 6],
    [{ ...all, from: "2026-05-30", to: "2026-05-31" }, 2],
    [{ ...all, minSizeBytes: 101, maxSizeBytes: 103 }, 3],
    [{ ...all, search: search("PNG") }, 12],
    [{ ...all, search: search("i"), status: "active" }, 2],
    [{ ...all, search: search("a\tb") }, 0],
  ];
  for (const [filter, total] of filters) {
    const asked = { library, accountId, filter, slice: { limit: 100, offset: 0 } };
    const stretch = { after: undefined, size: 1000 };
    const entries = await selectStep(asked, planWithoutCounts(filter), stretch, asked.slice);
    const listing = await listUploads(asked, (work) => work());
    const ids = listing?.rows.map(({ id }) => id) ?? [];
    expect([entries[0]?.shown, listing?.total, ids.length], JSON.stringify(filter)).toEqual([total, total, total]);
    expect(entries.flatMap(({ upload }) => upload?.id ?? [])).toEqual(ids);
  }
});
