import { openDb } from "../db/client.ts";
import { openProcessor } from "../processor/open-processor.ts";
import type { ThumbnailContext } from "../services/thumbnails/make-thumbnail.ts";

/** The bindings of this Worker as making a thumbnail knows them. */
export function openThumbnailContext(env: Env): ThumbnailContext {
  return {
    db: openDb(env.DB),
    files: env.FILES,
    processor: openProcessor(env),
    meterOf: (accountId) => env.ACCOUNT_METER.getByName(accountId),
    now: () => Date.now(),
    cdnUrl: env.CDN_URL.replace(/\/$/, ""),
    previewSecret: env.PREVIEW_SECRET,
  };
}
