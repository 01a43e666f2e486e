import type { Gallery } from "./gallery.ts";

/** Why a file was not loaded. */
export type Fate = "renewed" | "gone" | "refused" | "unreadable" | "busy" | "failed" | "over";

/** Finds out why a file was not loaded, and renews its link if that helps. `HEAD` does not count as a view. */
export async function findFate(gallery: Gallery, tile: HTMLLIElement): Promise<Fate> {
  const { url } = gallery.linkOf(tile);
  const status = await statusOf(url);
  if (status === 404 || status === 410 || status === 451) return "gone";
  if (status === 429) return "busy";
  if (status === 200) return "unreadable";
  if (status !== 403) return "failed";
  const renewal = await gallery.renew(tile);
  return renewal === "renewed" && gallery.linkOf(tile).url === url ? "refused" : renewal;
}

async function statusOf(url: string): Promise<number> {
  return fetch(url, { method: "HEAD", credentials: "omit" }).then(
    ({ status }) => status,
    () => 0,
  );
}
