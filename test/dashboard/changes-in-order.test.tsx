import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ImageSlots } from "../../src/dashboard/api/queries/image-slots.ts";
import { imagesPage } from "../../src/dashboard/api/queries/images.ts";
import type { Item } from "../../src/dashboard/library/changes/patch.ts";
import { perform, undoLast } from "../../src/dashboard/library/changes/perform-change.ts";
import { undoStack } from "../../src/dashboard/library/changes/undo-stack.ts";
import { NO_FILTERS, toImageQuery } from "../../src/dashboard/library/view/filters.ts";

// Two quick changes of one file, while the service answers the listing late.

const filter = toImageQuery(NO_FILTERS);
const FILE = { _id: "i1", favorite: false, folderId: null, tags: [], status: "active", createdAt: "2026-11-24" };

let file: Item;
let changes: string[];
/** Answers the listings that the page has requested. */
let list: (() => void)[];
let client: QueryClient;

beforeEach(() => {
  file = FILE as unknown as Item;
  changes = [];
  list = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input));
    if (init?.method === "GET" || init?.method === undefined) return listing();
    const { favorite } = JSON.parse(String(init.body));
    // The page requests the first change's listing before the second change is made.
    if (pathname.endsWith("bulk-trash")) await expect.poll(() => list.length).toBeGreaterThan(0);
    changes.push(favorite === undefined ? pathname : `${pathname} ${favorite}`);
    if (pathname.endsWith("bulk-trash")) file = { ...file, status: "trash" };
    else if (pathname.endsWith("bulk-restore")) file = { ...file, status: "active" };
    else file = { ...file, favorite };
    return Response.json({ updated: 1 });
  });
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});
afterEach(() => {
  client.clear();
  vi.restoreAllMocks();
});

/** The present listing, answered later. */
async function listing(): Promise<Response> {
  const images = file.status === "active" ? [file] : [];
  await new Promise<void>((resolve) => list.push(resolve));
  return Response.json({ images, pagination: { page: 1, limit: 100, total: images.length, nextCursor: null } });
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

async function changeTwice(): Promise<void> {
  client.setQueryData<ImageSlots>(imagesPage(filter, 0).queryKey, { items: [file], total: 1 });
  new QueryObserver(client, imagesPage(filter, 0)).subscribe(() => undefined);
  const now = { current: { filters: NO_FILTERS, filter, folderName: () => "Root", onRemoved: () => undefined } };
  const marked = perform({ client, now }, [file], { favorite: true });
  const trashed = perform({ client, now }, [{ ...file, favorite: true }], { status: "trash" });
  await expect.poll(() => changes).toHaveLength(2);
  await pause();
  while (list.length > 0) {
    list.shift()?.();
    await pause();
  }
  await Promise.all([marked, trashed]);
}

it("Ctrl-Z undoes the last change first, although an earlier change is settled after it", async () => {
  await changeTwice();
  expect(undoStack.size).toBe(2);
  undoLast();
  await expect.poll(() => changes.at(-1)).toMatch(/bulk-restore$/);
  undoLast();
  await expect.poll(() => changes.at(-1)).toMatch(/ false$/);
});
