import type { FileViewed } from "../domain/queue-messages.ts";

/** What wrangler.toml beside this file binds. Written by hand: two generated ones would merge into one global `Env`. */
export interface CdnEnv {
  readonly FILES: R2Bucket;
  readonly VIEWS: Queue<FileViewed>;
  /** Signs the dashboard's uncounted previews; the API Worker holds the same one. */
  readonly PREVIEW_SECRET: string;
  readonly FILE_MAX_AGE_SECONDS: string;
}
