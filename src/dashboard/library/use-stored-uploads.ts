import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { repeatAfterMs } from "../api/pacing.ts";
import type { ImageSlots } from "../api/queries/images.ts";
import { readUsage } from "../api/usage-store.ts";
import { uploads } from "../uploads/queue.ts";
import { AskingSchedule } from "./asking-schedule.ts";
import { askForOwn } from "./change-queue.ts";
import { refreshAll } from "./count-changes.ts";

/** What an asking costs: a page, the months, folders, and the sidebar's counts. Uploads need the rate, too. */
const ASKING_REQUESTS = 6;

/** How many of the page's uploads the library has asked for: others were stored while another page was shown. */
let taken = 0;

/** What was uploaded from this page is shown without being asked for: files when some have come, thumbnails when they are made. */
export function useStoredUploads(): void {
  const client = useQueryClient();
  useEffect(() => {
    const schedule = new AskingSchedule({
      ask: () => {
        taken = uploads.storedFiles;
        return askForOwn(() => refreshAll(client));
      },
      areAllSent: () => uploads.getSnapshot().left === 0,
      everyMs: () => repeatAfterMs(readUsage()?.rate, ASKING_REQUESTS),
    });
    if (uploads.storedFiles > taken) void schedule.ask();
    const stopStored = uploads.on("stored", () => schedule.note());
    const stopWatching = uploads.subscribe(() => schedule.look());
    const stopThumbnails = uploads.on("thumbnail", (media) => {
      client.setQueriesData<ImageSlots>({ queryKey: ["images"], predicate: isPage }, (page) =>
        page?.items.some((item) => item?._id === media._id)
          ? { ...page, items: page.items.map((item) => (item?._id === media._id ? media : item)) }
          : page,
      );
    });
    return () => {
      schedule.end();
      stopStored();
      stopWatching();
      stopThumbnails();
    };
  }, [client]);
}

/** Listings' pages have a number, counts have not. */
function isPage({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return typeof queryKey[2] === "number";
}
