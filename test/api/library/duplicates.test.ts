import { type SQL, sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import type { Upload } from "../../../src/db/library/schema.ts";
import { insertUploads } from "../../../src/db/library/uploads.ts";
import { countSame, walkHashes } from "../../../src/db/listing/select-duplicates.ts";
import { bearer, call, createApiKey, openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { libraryOf } from "../../support/api/databases.ts";
import { createFolder, deleteImage, moveToTrash } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";
import { NOW, newUpload } from "../../support/uploads/new-upload.ts";

interface Group {
  readonly sha256: string;
  readonly count: number;
  readonly freedBytes: number;
  readonly images: readonly { readonly _id: string; readonly prompt: string }[];
}

interface Page {
  readonly groups: readonly Group[];
  readonly pagination: { readonly nextCursor: string | null };
}

async function page(token: string, query: Record<string, string> = {}): Promise<Page> {
  const response = await call(`/duplicates?${new URLSearchParams(query)}`, { headers: bearer(token) });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}

/** Each group's names. */
async function names(token: string): Promise<string[][]> {
  return (await page(token)).groups.map(({ images }) => images.map(({ prompt }) => prompt));
}

const put = (account: TestAccount, name: string, bytes: Uint8Array<ArrayBuffer>, fields = {}) =>
  uploadOne(account.token, { name, bytes }, fields);

/** Rows without files. @param files the name and the hash's first digits of each file, oldest first */
async function seed(account: TestAccount, files: readonly (readonly [string, string, Partial<Upload>?])[]) {
  const rows = files.map(([originalFilename, hash, fields], at) =>
    newUpload(account.id, { originalFilename, sha256: hash.padEnd(64, "0"), createdAt: NOW + at, ...fields }),
  );
  const library = await libraryOf(account.id);
  for (let at = 0; at < rows.length; at += 200) await insertUploads(library, rows.slice(at, at + 200));
  return library;
}

describe("GET /duplicates", () => {
  it("Active files of every folder with the same bytes are groups, oldest first", async () => {
    const [account, other] = await Promise.all([openAccount("pro"), openAccount()]);
    const folderId = await createFolder(account.token, "Summer");
    const bytes = png(3, 3, 500);
    const first = await put(account, "first.png", bytes, { folderId });
    await put(account, "only.png", png(4, 4));
    const second = await put(account, "second.png", bytes, { visibility: "private" });
    await put(other, "elsewhere.png", bytes);
    const { groups, pagination } = await page(account.token);
    expect(pagination).toEqual({ nextCursor: null });
    expect(groups).toMatchObject([
      {
        sha256: first.sha256,
        count: 2,
        freedBytes: first.fileSize,
        images: [
          { _id: first._id, folderId, prompt: "first.png", previewUrl: expect.any(String) },
          { _id: second._id, folderId: null, visibility: "private" },
        ],
      },
    ]);
    expect(await page(other.token)).toMatchObject({ groups: [] });
  });

  it("Trashed, deleted and taken-down files, and files of unknown bytes, are in no group", async () => {
    const account = await openAccount("pro");
    const bytes = png(5, 5, 600);
    const [a, b, c] = [
      await put(account, "a.png", bytes),
      await put(account, "b.png", bytes),
      await put(account, "c.png", bytes),
    ];
    await moveToTrash(account.token, [a._id]);
    expect(await names(account.token)).toEqual([["b.png", "c.png"]]);
    await deleteImage(account.token, c._id);
    expect(await names(account.token)).toEqual([]);
    const takedown = { at: NOW, reason: "court order" } as NonNullable<Upload["takedown"]>;
    await seed(account, [
      ["d.png", "d"],
      ["e.png", "d", { takedown }],
      ["f.png", "f", { sha256: null }],
      ["g.png", "f", { sha256: null }],
    ]);
    expect(await names(account.token)).toEqual([]);
    expect(b.sha256).toBe(a.sha256);
  });

  it("A large group has its 12 oldest files, and the bytes of all but one", async () => {
    const account = await openAccount("pro");
    await seed(
      account,
      Array.from({ length: 1100 }, (_, at) => [`${at}.png`, "a", at < 5 ? { status: "trash" } : {}] as const),
    );
    const { groups } = await page(account.token);
    expect(groups).toMatchObject([{ count: 995, freedBytes: 99_400 }]);
    expect(groups[0]?.images.map(({ prompt }) => prompt)).toEqual(
      Array.from({ length: 12 }, (_, at) => `${at + 5}.png`),
    );
  });

  it("A page that ends early has a cursor, and the walk shows each group once", async () => {
    const account = await openAccount("pro");
    // Hashes with one active file look like groups until their files are read: ten statements of twenty hashes make a page.
    const files = Array.from({ length: 450 }, (_, at) => {
      const hash = at.toString(16).padStart(4, "0");
      const fields: Partial<Upload> = at % 100 === 7 ? {} : { status: "trash" };
      return [[`${at} a.png`, hash] as const, [`${at} b.png`, hash, fields] as const];
    }).flat();
    await seed(account, files);
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { groups, pagination }: Page = await page(account.token, { limit: "2", cursor });
      seen.push(...groups.map(({ images }) => images[0]?.prompt ?? ""));
      sizes.push(groups.length);
      cursor = pagination.nextCursor;
    }
    expect(seen).toEqual(["7 a.png", "107 a.png", "207 a.png", "307 a.png", "407 a.png"]);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it("A group that a stretch of the index cuts is found, and the next stretch begins after it", async () => {
    const account = await openAccount("pro");
    const library = await seed(account, [
      ["1", "a"],
      ["2", "b"],
      ["3", "b"],
      ["4", "b"],
      ["5", "c"],
      ["6", "c"],
    ]);
    const [b, c] = ["b", "c"].map((hash) => hash.padEnd(64, "0"));
    const owner = { accountId: account.id };
    expect(await walkHashes(library, owner, "", 2)).toEqual({ hashes: [b], last: b });
    expect(await walkHashes(library, owner, b ?? "", 2)).toEqual({ hashes: [c], last: c });
    expect(await walkHashes(library, owner, c ?? "", 2)).toEqual({ hashes: [], last: null });
    expect(await countSame(library, owner, [b ?? ""], { looked: 2, listed: 1 })).toMatchObject([
      { count: 2, ids: [expect.any(String)] },
    ]);
  });

  it("The walk reads only the index", async () => {
    const account = await openAccount("pro");
    const library = await seed(account, [["1", "a"]]);
    const statement = vi.spyOn(library, "all");
    await walkHashes(library, { accountId: account.id }, "", 2);
    const query = statement.mock.calls[0]?.[0] as SQL;
    statement.mockRestore();
    const plan = await library.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${query}`);
    const steps = plan.map(({ detail }) => detail).filter((detail) => detail.includes("uploads"));
    expect(steps).toEqual([expect.stringMatching(/^SEARCH uploads USING COVERING INDEX uploads_by_sha256 /)]);
  });

  it("A confined key sees the groups within its folder and the folders below it", async () => {
    const account = await openAccount("business");
    const mine = await createFolder(account.token, "mine");
    const below = await createFolder(account.token, "below", mine);
    const [shared, own] = [png(6, 6), png(7, 7)];
    await put(account, "mine.png", own, { folderId: mine });
    await put(account, "below.png", own, { folderId: below });
    await put(account, "root.png", own);
    await put(account, "mine too.png", shared, { folderId: mine });
    await put(account, "root too.png", shared);
    const { key } = await createApiKey(account.token, ["images:read"], { folderId: mine });
    expect(await names(key)).toEqual([["mine.png", "below.png"]]);
    expect((await page(key)).groups[0]).toMatchObject({ count: 2 });
    expect(await names(account.token)).toHaveLength(2);
    const { nextCursor } = (await page(account.token, { limit: "1" })).pagination;
    const refused = await call(`/duplicates?cursor=${nextCursor}`, { headers: bearer(key) });
    expect(await refused.json()).toMatchObject({ code: "invalid_cursor" });
  });
});
