import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import type { AccountContext } from "../../../src/services/context.ts";
import { changeStatusOfMatches } from "../../../src/services/images/change-status.ts";
import { readCursor, toCursor } from "../../../src/services/paging.ts";
import { expectConsistent, usageOf } from "../../support/api/account-state.ts";
import { openAccount, type TestAccount } from "../../support/api/api.ts";
import { libraries } from "../../support/api/databases.ts";
import {
  bulkMatches,
  bulkUpdate,
  changeImage,
  createFolder,
  expectInvalid,
  getImage,
  listIds,
  listPage,
  requestBulk,
  uploadMany,
} from "../../support/library/api.ts";
import { type Library, openLibrary } from "../../support/library/fixture.ts";
import { expectedItems } from "../../support/library/oracle.ts";
import { randomQuery } from "../../support/library/random-query.ts";
import { toFilter } from "../../support/library/to-filter.ts";
import { png } from "../../support/media/samples.ts";
import { seeded } from "../../support/uploads/multipart.ts";

const EVERYTHING = { folderId: "all", status: "all" } as const;
const VERBS = ["update", "trash", "restore"] as const;
const UNKNOWN = "01hzy3v7k9q4r5s6t7v8w9x0ya";

describe("Changes by filter", () => {
  let library: Library;
  let token: string;
  beforeAll(async () => {
    library = await openLibrary(60);
    token = library.account.token;
  });

  it("A change by filter matches the listing with the same parameters, for any parameters", async () => {
    const random = seeded(11);
    for (let round = 0; round < 60; round++) {
      const query = randomQuery(random, library.folders);
      const expected = expectedItems(library.items, query).map(({ _id }) => _id);
      const body = { filter: toFilter(query), addTags: ["found"] };
      const what = JSON.stringify(body);
      expect(await bulkMatches(token, "update", body), what).toEqual({ updated: expected.length, nextCursor: null });
      expect(await listIds(token, { ...EVERYTHING, tags: "found", limit: 100 }), what).toEqual(expected);
      const undone = { filter: { ...EVERYTHING, tags: ["found"] }, removeTags: ["found"] };
      expect(await bulkMatches(token, "update", undone), what).toEqual({ updated: expected.length, nextCursor: null });
    }
    await expectConsistent(library.account.id);
  }, 60_000);
});

describe.each(libraries.shards.slice(0, 2))("Changes by filter in shard %s", (shard) => {
  let account: TestAccount;
  let token: string;
  let ids: string[];

  beforeEach(async () => {
    account = await openAccount("business", shard);
    token = account.token;
    const files = Array.from({ length: 7 }, (_, at) => ({ name: `${at}.png`, bytes: png() }));
    ids = (await uploadMany(token, files)).map(({ _id }) => _id);
  });

  it("A change by filter omits excepted uploads and those changed before", async () => {
    const [first = "", second = "", ...others] = ids;
    const exceptIds = [first, second, UNKNOWN, "no id"];
    expect(await bulkMatches(token, "trash", { filter: {}, exceptIds })).toEqual({ updated: 5, nextCursor: null });
    expect(await listIds(token)).toEqual([second, first]);
    expect(await bulkMatches(token, "trash", { filter: { status: "all" }, exceptIds: [first] })).toMatchObject({
      updated: 1,
    });
    expect(await bulkMatches(token, "trash", { filter: { status: "trash" } })).toEqual({
      updated: 0,
      nextCursor: null,
    });
    expect(await bulkMatches(token, "restore", { filter: {}, exceptIds: others })).toEqual({
      updated: 1,
      nextCursor: null,
    });
    expect(await bulkMatches(token, "restore", { filter: { status: "active" } })).toMatchObject({ updated: 0 });
    expect(await bulkMatches(token, "restore", { filter: { folderId: "root" } })).toMatchObject({ updated: 5 });
    expect((await listPage(token)).pagination.total).toBe(7);
  });

  it("A change by filter without a folder is for Root, or for every folder in searches and the trash", async () => {
    const folderId = await createFolder(token, "One");
    await bulkUpdate(token, { ids: ids.slice(0, 3), folderId });
    expect(await bulkMatches(token, "trash", { filter: {} })).toMatchObject({ updated: 4 });
    expect(await bulkMatches(token, "trash", { filter: { q: "2.png" } })).toMatchObject({ updated: 1 });
    expect(await bulkMatches(token, "restore", { filter: {} })).toMatchObject({ updated: 5 });
    expect(await bulkMatches(token, "trash", { filter: { status: "all" } })).toMatchObject({ updated: 7 });
    expect(await bulkMatches(token, "restore", { filter: { folderId: null } })).toMatchObject({ updated: 4 });
    expect(await bulkMatches(token, "restore", { filter: { folderId } })).toMatchObject({ updated: 3 });
  });

  it("A change by filter changes each upload once, even if the change removes it from the filter", async () => {
    const folderId = await createFolder(token, "One");
    expect(await bulkMatches(token, "update", { filter: { folderId: "root" }, folderId })).toMatchObject({
      updated: 7,
    });
    const marked = { filter: { folderId, favorite: false }, favorite: true };
    expect(await bulkMatches(token, "update", marked)).toEqual({ updated: 7, nextCursor: null });
    expect(await bulkMatches(token, "update", marked)).toEqual({ updated: 0, nextCursor: null });
    const untagged = { filter: { folderId, excludeTags: ["new"] }, addTags: ["new"] };
    expect(await bulkMatches(token, "update", untagged)).toEqual({ updated: 7, nextCursor: null });
  });

  it("A change by filter continues after a cursor, and leaves earlier uploads unchanged", async () => {
    const signer = { config: { jwtSecret: onlySecret(env.JWT_SECRET) } };
    const filters = { status: "active", tags: [], excludedTags: [] };
    const list = (name: string) => ({ name, accountId: account.id, filters });
    const { nextCursor } = (await listPage(token, { limit: 3 })).pagination;
    const position = readCursor(signer, list("listImages"), nextCursor ?? "") ?? [];
    await expectInvalid(await requestBulk(token, "trash", { filter: {}, cursor: nextCursor }), "cursor");
    const restoring = toCursor(signer, list("restoreImages"), position);
    await expectInvalid(await requestBulk(token, "trash", { filter: {}, cursor: restoring }), "cursor");
    const body = { filter: {}, cursor: toCursor(signer, list("trashImages"), position) };
    expect(await bulkMatches(token, "trash", body)).toEqual({ updated: 4, nextCursor: null });
    expect(await bulkMatches(token, "trash", body)).toEqual({ updated: 0, nextCursor: null });
    expect(await listIds(token)).toEqual([...ids].reverse().slice(0, 3));
  });

  it("A change by filter changes each upload once in simultaneous calls", async () => {
    // Called in place: the test's Worker does not pass a turn from one request to another.
    const context = {
      library: libraries.open(shard),
      accountId: account.id,
      principal: { kind: "session" },
      now: Date.now,
      waitUntil: () => {},
    } as unknown as AccountContext;
    const filter = { status: "active", folderId: "all", tags: [], excludedTags: [] } as const;
    const answers = await Promise.all([1, 2, 3].map(() => changeStatusOfMatches(context, { filter }, "trash")));
    expect(answers.reduce((sum, { updated }) => sum + updated, 0)).toBe(7);
    expect((await listPage(token, { status: "trash" })).pagination.total).toBe(7);
    await expectConsistent(account.id);
  });

  it("A change by filter costs no operation", async () => {
    const response = await requestBulk(token, "trash", { filter: { folderId: "all" } });
    expect(usageOf(response)).toEqual({ storage: 700, operations: 7 });
  });

  it("A change by filter never affects another account", async () => {
    const stranger = await openAccount("business", shard);
    const foreign = await createFolder(stranger.token, "Foreign");
    await uploadMany(stranger.token, [{ name: "x.png", bytes: png() }], { folderId: foreign });
    for (const folderId of [foreign, UNKNOWN, "../root", "x".repeat(3000)]) {
      for (const verb of VERBS) {
        const response = await requestBulk(token, verb, { filter: { folderId } });
        expect([response.status, await response.json()]).toEqual([
          404,
          { error: "Folder not found", code: "folder_not_found", statusCode: 404 },
        ]);
      }
    }
    const lost = await requestBulk(token, "update", { filter: {}, folderId: foreign });
    expect(lost.status).toBe(404);
    await bulkMatches(token, "trash", { filter: EVERYTHING });
    expect((await listPage(stranger.token, { folderId: foreign })).pagination.total).toBe(1);
  });

  it("A change by filter is 400 if an upload would have too many tags, with the count changed before", async () => {
    await changeImage(token, ids[0] ?? "", { tags: Array.from({ length: 50 }, (_, at) => `t${at}`) });
    const response = await requestBulk(token, "update", { filter: {}, addTags: ["one more"] });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      {
        error: "Invalid request",
        code: "invalid_request",
        details: { addTags: "An upload has at most 50 tags", updated: 0 },
      },
    ]);
    expect((await getImage(token, ids[1] ?? "")).tags).toEqual([]);
  });

  it.each<[string, object]>([
    ["ids", {}],
    ["filter", { ids: [UNKNOWN], filter: {} }],
    ["exceptIds", { ids: [UNKNOWN], exceptIds: [UNKNOWN] }],
    ["cursor", { ids: [UNKNOWN], cursor: "x" }],
    ["cursor", { filter: {}, cursor: "x" }],
    ["cursor", { filter: {}, cursor: "x".repeat(65) }],
    ["exceptIds", { filter: {}, exceptIds: Array.from({ length: 1001 }, () => UNKNOWN) }],
    ["filter", { filter: { page: 2 } }],
    ["filter.status", { filter: { status: "gone" } }],
    ["filter.from", { filter: { from: "2026-02-30" } }],
    ["filter.minSize", { filter: { minSize: "1" } }],
    ["filter.q", { filter: { q: "x".repeat(201) } }],
    ["filter.tags", { filter: { tags: ["a,b"] } }],
    ["filter.favorite", { filter: { favorite: "true" } }],
  ])("A change by filter refuses invalid fields and names %s: %j", async (name, body) => {
    for (const verb of VERBS) await expectInvalid(await requestBulk(token, verb, body), name);
    expect((await listPage(token)).pagination.total).toBe(7);
  });

  it("A change by a filter that cannot match changes nothing", async () => {
    for (const filter of [
      { minSize: 2, maxSize: 1 },
      { from: "2026-01-02", to: "2026-01-01" },
      { tags: ["nowhere"] },
    ]) {
      expect(await bulkMatches(token, "trash", { filter })).toEqual({ updated: 0, nextCursor: null });
    }
  });
});
