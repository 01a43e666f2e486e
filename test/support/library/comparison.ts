import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { usageOf } from "../api/account-state.ts";
import { bearer, call, type TestAccount } from "../api/api.ts";
import { listFolders, type MediaObject, type Query } from "./api.ts";
import { type LibraryModel, sumOfSizes } from "./model.ts";
import { expectedItems, type LibraryItem } from "./oracle.ts";
import { type Random, randomQuery } from "./random-query.ts";
import type { Stats } from "./stats.ts";
import { listByCursor, listByPage } from "./walk.ts";

/** Expects all visible data of an account, and its objects in R2, to equal the model. */
export async function expectEqualToModel(account: TestAccount, model: LibraryModel, random: Random): Promise<void> {
  await expectFigures(account, model);
  await expectFolders(account, model);
  await expectObjects(account, model);
  await expectListing(account, model, { status: "all" }, 100);
  for (let i = 0; i < 5; i++) {
    await expectListing(account, model, randomQuery(random, model.folderIds), 5 + random(96));
  }
  const query = randomQuery(random, model.folderIds);
  const walked = await listByCursor(account.token, query, 5 + random(96));
  expect(walked.map(({ _id }) => _id)).toEqual(expectedItems(model.items, query).map(({ _id }) => _id));
}

async function expectFigures({ token }: TestAccount, model: LibraryModel): Promise<void> {
  const response = await call("/stats/overview", { headers: bearer(token) });
  expect(response.status).toBe(200);
  expect(usageOf(response)).toEqual({ storage: model.storageBytes, operations: model.operations });
  const { storage, operations, files, folders } = await response.json<Stats>();
  expect([storage.used, operations.used, operations.classA]).toEqual([
    model.storageBytes,
    model.operations,
    model.operations,
  ]);
  const ofKind = (prefix: string) => model.items.filter(({ mimeType }) => mimeType.startsWith(prefix)).length;
  expect({ files, folders }).toEqual({
    files: {
      total: model.items.length,
      images: ofKind("image/"),
      videos: ofKind("video/"),
      trashed: model.trashed.length,
      trashedBytes: sumOfSizes(model.trashed),
    },
    folders: model.folders.size,
  });
}

async function expectFolders({ token }: TestAccount, model: LibraryModel): Promise<void> {
  const shown = (await listFolders(token)).map(({ _id, name, parentId, itemCount }) => [
    _id,
    name,
    parentId,
    itemCount,
  ]);
  const active = model.items.filter(({ status }) => status === "active");
  const expected = [...model.folders.values()].map(({ id, name, parentId }) => [
    id,
    name,
    parentId,
    active.filter(({ folderId }) => folderId === id).length,
  ]);
  expect(shown.sort()).toEqual(expected.sort());
}

async function expectObjects({ id }: TestAccount, model: LibraryModel): Promise<void> {
  const { objects, truncated } = await env.FILES.list({ prefix: `uploads/${id}/` });
  expect(truncated).toBe(false);
  const expected = model.items.map(({ filename, fileSize }) => [filename, fileSize]);
  expect(objects.map(({ key, size }) => [key, size]).sort()).toEqual(expected.sort());
}

async function expectListing(account: TestAccount, model: LibraryModel, query: Query, limit: number): Promise<void> {
  const shown = await listByPage(account.token, query, limit);
  const expected = expectedItems(model.items, query).map(whatIsShown);
  expect(shown.map(whatIsShown), JSON.stringify(query)).toEqual(expected);
}

function whatIsShown(item: MediaObject | LibraryItem): object {
  const { _id, filename, mimeType, fileSize, createdAt, folderId, tags, favorite, status } = item;
  return { _id, filename, mimeType, fileSize, createdAt, folderId, tags, favorite, status };
}
