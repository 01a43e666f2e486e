import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import type { ImageSlots } from "../../src/dashboard/api/queries/image-slots.ts";
import { imagesPage } from "../../src/dashboard/api/queries/images.ts";
import type { Item } from "../../src/dashboard/library/changes/patch.ts";
import { perform, undoLast } from "../../src/dashboard/library/changes/perform-change.ts";
import { NO_FILTERS, toImageQuery } from "../../src/dashboard/library/view/filters.ts";

// A page that is fetched for the first time while a change is made: its answer has the state before the change, and comes last.

const filter = toImageQuery(NO_FILTERS);
const FILE = { _id: "i1", favorite: false, folderId: null, tags: [], status: "active", createdAt: "2026-11-24" };
const TOTAL = 300;

let client: QueryClient;

afterEach(() => {
  client.clear();
  vi.restoreAllMocks();
});

it("The number of files is right after a change and its undoing, whichever page was being fetched", async () => {
  let total = TOTAL;
  const late: (() => void)[] = [];
  const showPage = (number: number) => new QueryObserver(client, imagesPage(filter, number)).subscribe(() => undefined);
  const shownTotal = (number: number) => client.getQueryData<ImageSlots>(imagesPage(filter, number).queryKey)?.total;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname, searchParams } = new URL(String(input));
    if (pathname === "/images") {
      const answer = { images: [], pagination: { page: 1, limit: 100, total, nextCursor: null } };
      const number = Number(searchParams.get("page")) - 1;
      // Only the first fetch of a page other than the first is late.
      if (number > 0 && shownTotal(number) === undefined && late.length < number) {
        await new Promise<void>((resolve) => {
          late.push(resolve);
          init?.signal?.addEventListener("abort", () => resolve());
        });
      }
      return Response.json(answer);
    }
    // The user scrolls to another page before the service makes the change.
    const pages = late.length;
    showPage(pages + 1);
    await expect.poll(() => late.length).toBe(pages + 1);
    total += pathname.endsWith("bulk-trash") ? -1 : 1;
    return Response.json({ updated: 1 });
  });
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData<ImageSlots>(imagesPage(filter, 0).queryKey, { items: [FILE as unknown as Item], total: TOTAL });
  showPage(0);
  const now = { current: { filters: NO_FILTERS, filter, folderName: () => "Root", onRemoved: () => undefined } };
  const trashed = perform({ client, now }, [FILE as unknown as Item], { status: "trash" });
  await expect.poll(() => total).toBe(TOTAL - 1);
  await new Promise((resolve) => setTimeout(resolve));
  late[0]?.();
  await trashed;
  expect([shownTotal(0), shownTotal(1)]).toEqual([TOTAL - 1, TOTAL - 1]);

  undoLast();
  await expect.poll(() => total).toBe(TOTAL);
  await new Promise((resolve) => setTimeout(resolve));
  late[1]?.();
  await expect.poll(() => [0, 1, 2].map(shownTotal)).toEqual([TOTAL, TOTAL, TOTAL]);
});
