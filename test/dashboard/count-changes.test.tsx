import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it } from "vitest";
import { countChanges } from "../../src/dashboard/library/changes/count-changes.ts";
import type { Item, Patch } from "../../src/dashboard/library/changes/patch.ts";

const FAVOURITES = ["images", "count", { favorite: true }];
const RECENT = ["images", "count", { from: "2026-11-18" }];

function item(more: Partial<Item> = {}): Item {
  const createdAt = "2026-11-24T10:00:00.000Z";
  return { _id: "i1", favorite: false, folderId: null, tags: [], status: "active", createdAt, ...more } as Item;
}

let client: QueryClient;

beforeEach(() => {
  client = new QueryClient();
});

function counted(key: readonly unknown[], before: number, items: readonly Item[], patch: Patch) {
  client.setQueryData(key, before);
  countChanges(client, items, patch);
  return client.getQueryData(key);
}

describe("count of favourites", () => {
  it("The count of favourites follows the first and the last favourite", () => {
    expect(counted(FAVOURITES, 0, [item()], { favorite: true })).toBe(1);
    expect(counted(FAVOURITES, 1, [item({ favorite: true })], { favorite: false })).toBe(0);
  });

  it("The count of favourites loses a trashed file and gains a restored file", () => {
    expect(counted(FAVOURITES, 3, [item({ favorite: true }), item()], { status: "trash" })).toBe(2);
    expect(counted(FAVOURITES, 2, [item({ favorite: true, status: "trash" })], { status: "active" })).toBe(3);
  });

  it("The count of favourites stays unknown before the first answer", () => {
    countChanges(client, [item()], { favorite: true });
    expect(client.getQueryData(FAVOURITES)).toBeUndefined();
  });
});

describe("count of the last days", () => {
  it("The count of the last days follows trash, restoring and deletion of files of these days", () => {
    const old = item({ createdAt: "2026-11-17T23:59:59.999Z" });
    const first = item({ createdAt: "2026-11-18T00:00:00.000Z" });
    expect(counted(RECENT, 9, [item(), first, old], { status: "trash" })).toBe(7);
    expect(counted(RECENT, 7, [item({ status: "trash" }), old], { status: "active" })).toBe(8);
    expect(counted(RECENT, 8, [item()], { status: "deleted" })).toBe(7);
    expect(counted(RECENT, 7, [item({ status: "trash" })], { status: "deleted" })).toBe(7);
  });

  it("The count of the last days is not changed by a move, a tag or a favourite", () => {
    expect(counted(RECENT, 9, [item()], { folderId: "f", addTags: ["press"], favorite: true })).toBe(9);
  });
});
