import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { tellOtherTabs } from "../../api/library-tabs.ts";
import { repeatAfterMs } from "../../api/pacing.ts";
import type { ImageSlots } from "../../api/queries/image-slots.ts";
import { readUsage } from "../../api/usage-store.ts";
import { uploads } from "../../uploads/uploads-store.ts";
import { refetchOwn } from "./change-queue.ts";
import { refreshAll } from "./count-changes.ts";
import { RefreshSchedule } from "./refresh-schedule.ts";

/** The requests of one refresh: a page, the months, folders, and the sidebar's counts. Uploads have the same rate limit. */
const REFRESH_REQUESTS = 6;

/** The number of stored uploads at the last refresh. Uploads may finish while another page is shown. */
let taken = 0;

/** Shows this page's uploads without a reload: files after several were stored, thumbnails when they are ready. */
export function useStoredUploads(): void {
  const client = useQueryClient();
  useEffect(() => {
    const schedule = new RefreshSchedule({
      refresh: () => {
        taken = uploads.storedFiles;
        tellOtherTabs();
        return refetchOwn(() => refreshAll(client));
      },
      areAllSent: () => uploads.getSnapshot().left === 0,
      everyMs: () => repeatAfterMs(readUsage()?.rate, REFRESH_REQUESTS),
    });
    if (uploads.storedFiles > taken) void schedule.refresh();
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

/** Keys of a listing's pages end with a number; keys of counts do not. */
function isPage({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return typeof queryKey[2] === "number";
}
