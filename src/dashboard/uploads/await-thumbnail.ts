import type { MediaObject } from "../../client/index.ts";
import { api } from "../api/client.ts";

const DELAYS_SECONDS = [2, 4, 8, 16, 32, 60];
/** A film's thumbnail takes seconds; one that is not there after some minutes is seen at the next visit. */
const MOST_ASKED = 10;

/** Asks for a stored video until its thumbnail is made, or it is known that none can be made. */
export async function awaitThumbnail(id: string, settled: (media: MediaObject) => void): Promise<void> {
  for (let asked = 0; asked < MOST_ASKED; asked += 1) {
    const seconds = DELAYS_SECONDS[Math.min(asked, DELAYS_SECONDS.length - 1)] ?? 60;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    try {
      const media: MediaObject & { thumbnail?: string | null } = await api.image(id);
      if (media.thumbnail === "pending") continue;
      settled(media);
      return;
    } catch {
      // Deleted meanwhile, or the service is away: the next page that shows it knows.
      return;
    }
  }
}
