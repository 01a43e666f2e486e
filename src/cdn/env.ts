import type { FileViewed, ViewsCollected } from "../domain/queue-messages.ts";
import type { ViewJournal } from "./view-journal.ts";

/** What wrangler.toml beside this file binds. Written by hand: two generated ones would merge into one global `Env`. */
export interface CdnEnv {
  readonly FILES: R2Bucket;
  readonly VIEW_JOURNAL: DurableObjectNamespace<ViewJournal>;
  readonly VIEWS: Queue<FileViewed | ViewsCollected>;
  /** Signs the dashboard's uncounted previews; the API Worker holds the same one. */
  readonly PREVIEW_SECRET: string;
  readonly FILE_MAX_AGE_SECONDS: string;
  readonly VIEW_JOURNALS: string;
  readonly VIEW_FLUSH_SECONDS: string;
}
