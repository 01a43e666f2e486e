import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Library } from "../../../src/db/library/library.ts";
import type { Upload } from "../../../src/db/library/schema.ts";
import { insertUploads } from "../../../src/db/library/uploads.ts";
import { listUploads } from "../../../src/db/listing/list-uploads.ts";
import { planListing } from "../../../src/db/listing/plan-listing.ts";
import { selectCounts, toCounts } from "../../../src/db/listing/read-counts.ts";
import type { UploadFilter } from "../../../src/db/listing/upload-filter.ts";
import { MAX_UPLOADS } from "../../../src/db/listing/walk-listing.ts";
import { stretchSql } from "../../../src/db/listing/walk-sql.ts";
import { callJson, openAccount, type TestAccount } from "../../support/api/api.ts";
import { libraryOf } from "../../support/api/databases.ts";
import { expectInvalid, listPage, type Query, requestList } from "../../support/library/api.ts";
import { NOW, newUpload } from "../../support/uploads/new-upload.ts";

const DAY = 86_400_000;
/** An hour before the end of a day in UTC. */
const LATE = Date.UTC(2030, 0, 10, 23);

const TAKEN_DOWN = { takedown: { id: "01takedown", at: NOW, reason: "Copyright" } };

/** Each file by its name, newest first. */
const FILES: Record<string, Partial<Upload>> = {
  "wide.png": { width: 40, height: 30, camera: "Canon EOS R5", alt: "A wide wall" },
  "tall.jpg": { width: 30, height: 40, mimeType: "image/jpeg", camera: "CANON EOS 5D", expiresAt: LATE, ...TAKEN_DOWN },
  "square.webp": { width: 30, height: 30, mimeType: "image/webp", camera: "100%_Ä'", visibility: "private" },
  "unknown.mp4": { width: 0, height: 0, mimeType: "video/mp4", expiresAt: LATE + 2 * 3_600_000 },
  "gone.gif": { width: 9, height: 8, mimeType: "image/gif", status: "trash", alt: "In the trash", ...TAKEN_DOWN },
};

let account: TestAccount;

beforeAll(async () => {
  account = await openAccount("pro");
  const rows = Object.entries(FILES).map(([originalFilename, fields], at) =>
    newUpload(account.id, { originalFilename, createdAt: NOW - at * DAY, ...fields }),
  );
  await insertUploads(await libraryOf(account.id), rows);
});

const namesOf = async (query: Query) =>
  (await listPage(account.token, { folderId: "all", ...query })).images.map(({ prompt }) => prompt);

describe("Filters by a file's facts", () => {
  it.each<[Query, string[]]>([
    [{ mimePrefix: "image/png,image/webp" }, ["wide.png", "square.webp"]],
    [{ mimePrefix: "image/jpeg, video/" }, ["tall.jpg", "unknown.mp4"]],
    [{ mimePrefix: "other,image/png" }, ["wide.png"]],
    [{ mimePrefix: "image/,image/png" }, ["wide.png", "tall.jpg", "square.webp"]],
    [{ mimePrefix: "image/,video/", status: "all" }, Object.keys(FILES)],
    [{ camera: "canon" }, ["wide.png", "tall.jpg"]],
    [{ camera: "EOS R" }, ["wide.png"]],
    [{ camera: "%" }, ["square.webp"]],
    [{ camera: "Ä'" }, ["square.webp"]],
    [{ camera: "ä'" }, []],
    [{ orientation: "landscape" }, ["wide.png"]],
    [{ orientation: "portrait" }, ["tall.jpg"]],
    [{ orientation: "square" }, ["square.webp"]],
    [{ orientation: "landscape", status: "all" }, ["wide.png", "gone.gif"]],
    [{ expires: true }, ["tall.jpg", "unknown.mp4"]],
    [{ expires: false }, ["wide.png", "square.webp"]],
    [{ expiresTo: "2030-01-10" }, ["tall.jpg"]],
    [{ expiresFrom: "2030-01-11" }, ["unknown.mp4"]],
    [{ expiresFrom: "2030-01-10", expiresTo: "2030-01-11" }, ["tall.jpg", "unknown.mp4"]],
    [{ expires: false, expiresTo: "2030-01-11" }, []],
    [{ hasAlt: true }, ["wide.png"]],
    [{ hasAlt: false }, ["tall.jpg", "square.webp", "unknown.mp4"]],
    [{ takenDown: true }, ["tall.jpg"]],
    [{ takenDown: true, status: "all" }, ["tall.jpg", "gone.gif"]],
    [{ takenDown: true, status: "trash" }, ["gone.gif"]],
    [{ takenDown: true, status: "all", sort: "name", order: "asc" }, ["gone.gif", "tall.jpg"]],
    [{ takenDown: true, status: "all", mimePrefix: "image/gif" }, ["gone.gif"]],
    [{ takenDown: true, status: "all", q: "tall" }, ["tall.jpg"]],
    [{ takenDown: true, hasAlt: true }, []],
    [{ takenDown: true, folderId: "root" }, ["tall.jpg"]],
    [{ takenDown: false }, ["wide.png", "square.webp", "unknown.mp4"]],
    [{ takenDown: false, mimePrefix: "image/jpeg,image/png" }, ["wide.png"]],
    [{ hasAlt: false, mimePrefix: "image/", visibility: "private" }, ["square.webp"]],
    [{ hasAlt: false, camera: "canon", orientation: "portrait", expires: true, q: "tall" }, ["tall.jpg"]],
    [
      { sort: "name", order: "asc", hasAlt: false, mimePrefix: "image/,video/" },
      ["square.webp", "tall.jpg", "unknown.mp4"],
    ],
  ])("The filter %j shows exactly the files with these facts", async (query, names) => {
    const page = await listPage(account.token, { folderId: "all", ...query });
    expect(page.images.map(({ prompt }) => prompt)).toEqual(names);
    expect(page.pagination.total).toBe(names.length);
  });

  it("A cursor with these filters shows each file once", async () => {
    const query = { folderId: "all", status: "all", mimePrefix: "image/,video/", hasAlt: "false", limit: 1 };
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { images, pagination } = await listPage(account.token, { ...query, ...(cursor && { cursor }) });
      seen.push(...images.map(({ prompt }) => prompt));
      if (pagination.nextCursor === null) break;
      cursor = pagination.nextCursor;
    }
    expect(seen).toEqual(["tall.jpg", "square.webp", "unknown.mp4"]);
  });

  it("A cursor walks the taken-down files, each once", async () => {
    const query = { folderId: "all", status: "all", takenDown: "true", limit: 1 };
    const first = await listPage(account.token, query);
    const cursor = first.pagination.nextCursor ?? "";
    const last = await listPage(account.token, { ...query, cursor });
    expect([first, last].map(({ images }) => images.map(({ prompt }) => prompt))).toEqual([["tall.jpg"], ["gone.gif"]]);
    expect(last.pagination.nextCursor).toBeNull();
  });

  it("A change by filter changes only the files with these facts", async () => {
    const filter = { folderId: "all", camera: "canon", orientation: "portrait", expires: true, hasAlt: false };
    const answer = await callJson("POST", "/images/bulk-update", account.token, { filter, favorite: true });
    expect(await answer.json()).toMatchObject({ updated: 1 });
    expect(await namesOf({ favorite: true })).toEqual(["tall.jpg"]);
    const types = { folderId: "all", mimePrefix: "image/jpeg,image/gif" };
    const back = await callJson("POST", "/images/bulk-update", account.token, { filter: types, favorite: false });
    expect(await back.json()).toMatchObject({ updated: 1 });
  });

  it("A share of a filter has the files with these facts", async () => {
    const filter = { folderId: "all", orientation: "square", hasAlt: false, mimePrefix: "image/webp,image/gif" };
    const answer = await callJson("POST", "/shares", account.token, { filter });
    expect(answer.status).toBe(201);
    expect((await answer.json<{ filter: object }>()).filter).toEqual(filter);
  });

  it.each<[string, string, string]>([
    ["mimePrefix", ",", "Must name a type"],
    ["mimePrefix", Array.from({ length: 11 }, (_, at) => `image/${at}`).join(), "At most 10 types"],
    ["mimePrefix", "x".repeat(201), "200"],
    ["camera", "x".repeat(101), "100"],
    ["orientation", "Landscape", "landscape"],
    ["expires", "1", "true"],
    ["expiresFrom", "2030-02-30", "There is no such day"],
    ["expiresTo", "tomorrow", "Must be a date"],
    ["hasAlt", "yes", "true"],
    ["takenDown", "1", "true"],
  ])("The value of `%s` %.20s is 400 and named", async (name, value, words) => {
    const response = await requestList(account.token, { [name]: value });
    expect((await response.clone().json<{ details: Record<string, string> }>()).details[name]).toContain(words);
    await expectInvalid(response, name);
  });

  it("Days of expiry in the wrong order are 400", async () => {
    await expectInvalid(
      await requestList(account.token, { expiresFrom: "2030-01-02", expiresTo: "2030-01-01" }),
      "expiresFrom",
    );
    const filter = { camera: "" };
    const refused = await callJson("POST", "/images/bulk-trash", account.token, { filter });
    expect(refused.status).toBe(400);
  });
});

/** @returns the rows that each statement of a batch reads from now on */
function watchReads({ binding }: Library): number[] {
  const read: number[] = [];
  const batch = binding.batch.bind(binding);
  vi.spyOn(binding, "batch").mockImplementation(async (statements) => {
    const answers = await batch(statements);
    read.push(...answers.map(({ meta }) => (meta.rows_read as number | undefined) ?? 0));
    return answers as never;
  });
  return read;
}

describe("The reads of these filters", () => {
  const EVERY: UploadFilter = {
    status: "active",
    folderId: undefined,
    camera: "canon",
    orientation: "portrait",
    expires: true,
    expiresFrom: "2030-01-01",
    expiresTo: "2030-02-01",
    hasAlt: false,
    tags: [],
    excludedTags: [],
  };

  it.each([
    ["every folder", EVERY, "uploads_by_status (account_id=? AND status=?"],
    ["a folder", { ...EVERY, folderId: "one" }, "uploads_by_folder (folder_id=? AND account_id=? AND status=?"],
    [
      "two types",
      { ...EVERY, mimePrefix: "image/jpeg,image/png" },
      "uploads_by_type (account_id=? AND status=? AND mime_type=?",
    ],
  ] as const)("SQLite walks an index of %s, and sorts nothing", async (_, filter, index) => {
    const library = await libraryOf(account.id);
    const counts = { ...toCounts(await selectCounts(library, account.id, filter).all()), all: 9 };
    const plan = planListing(filter, counts);
    if (plan === undefined) throw new Error("Nothing can match");
    const place = { accountId: account.id, folderId: filter.folderId };
    const stretch = stretchSql(place, plan, { after: "5", size: 100 });
    const details = (await library.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${stretch}`)).map(
      ({ detail }) => detail,
    );
    expect(details.filter((detail) => detail.includes(index)).length).toBeGreaterThan(0);
    expect(details.join("\n")).toContain("SEARCH u USING INTEGER PRIMARY KEY (rowid=?)");
    expect(details.join("\n")).not.toMatch(/SCAN u\b|TEMP B-TREE/);
  });

  it("A list that is filtered by takedown reads only the rows of taken-down files", async () => {
    const large = await openAccount("pro");
    const library = await libraryOf(large.id);
    const rows = Array.from({ length: 3000 }, (_, at) =>
      newUpload(large.id, { createdAt: NOW - at, ...(at % 1000 === 999 ? TAKEN_DOWN : {}) }),
    );
    for (let at = 0; at < rows.length; at += 1000) await insertUploads(library, rows.slice(at, at + 1000));
    const read = watchReads(library);
    const slice = { limit: 50, offset: 0 };
    for (const status of ["active", "all"] as const) {
      const filter: UploadFilter = { status, folderId: undefined, takenDown: true, tags: [], excludedTags: [] };
      const listing = await listUploads({ library, accountId: large.id, filter, slice }, (work) => work());
      expect(listing).toMatchObject({ total: 3, next: null });
    }
    expect(Math.max(...read)).toBeLessThan(25);
  });

  it("A statement reads at most 20,000 uploads, however few match", async () => {
    const large = await openAccount("pro");
    const library = await libraryOf(large.id);
    const count = MAX_UPLOADS + 1000;
    const rows = Array.from({ length: count }, (_, at) => newUpload(large.id, { createdAt: NOW - at }));
    for (let at = 0; at < count; at += 1000) await insertUploads(library, rows.slice(at, at + 1000));
    const read = watchReads(library);
    const filter: UploadFilter = { status: "active", folderId: undefined, hasAlt: true, tags: [], excludedTags: [] };
    const query = { library, accountId: large.id, filter, slice: { limit: 50, offset: 0 } };
    expect(await listUploads(query, (work) => work())).toMatchObject({ rows: [], total: 0 });
    expect(Math.max(...read)).toBeLessThan(2.1 * MAX_UPLOADS);
    expect(Math.max(...read)).toBeGreaterThan(MAX_UPLOADS);
  }, 120_000);
});
