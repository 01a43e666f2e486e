import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ImageSlots } from "../api/queries/images.ts";
import { uploads } from "../uploads/queue.ts";
import { askForOwn } from "./change-queue.ts";
import { refreshAll } from "./count-changes.ts";

/** Files that come one after the other are asked for together: each asking costs requests that uploads need, too. */
const QUIET_MS = 1500;
const LONGEST_MS = 8000;

/** How many of the page's uploads the library has asked for: others were stored while another page was shown. */
let taken = 0;

/** What was uploaded from this page is shown without being asked for: files when some have come, thumbnails when they are made. */
export function useStoredUploads(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let since = 0;
    let isAsking = false;
    let isOver = false;
    const refresh = async () => {
      timer = undefined;
      taken = uploads.storedFiles;
      isAsking = true;
      await askForOwn(() => refreshAll(client));
      isAsking = false;
      if (uploads.storedFiles > taken) plan();
    };
    const plan = () => {
      // An asking that is cut short by the next one costs its requests, and on a slow network nothing would ever be answered.
      if (isAsking || isOver) return;
      if (timer === undefined) since = Date.now();
      clearTimeout(timer);
      timer = setTimeout(refresh, Math.max(0, Math.min(QUIET_MS, since + LONGEST_MS - Date.now())));
    };
    if (uploads.storedFiles > taken) void refresh();
    const stopStored = uploads.on("stored", plan);
    const stopThumbnails = uploads.on("thumbnail", (media) => {
      client.setQueriesData<ImageSlots>({ queryKey: ["images"], predicate: isPage }, (page) =>
        page?.items.some((item) => item?._id === media._id)
          ? { ...page, items: page.items.map((item) => (item?._id === media._id ? media : item)) }
          : page,
      );
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      stopStored();
      stopThumbnails();
    };
  }, [client]);
}

/** Listings' pages have a number, counts have not. */
function isPage({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return typeof queryKey[2] === "number";
}
