import type { FileViewed, ViewsCollected } from "../domain/queue-messages.ts";
import type { TierName } from "../domain/tiers.ts";
import type { MakerEnv, VariantMaker } from "./variants/variant-maker.ts";
import type { JournalEnv, ViewJournal } from "./view-journal.ts";

/** The counters of new variants of an account's files, one for each tier: a counter of the platform has one limit. */
export type VariantsByTier = `VARIANTS_BY_${Uppercase<TierName>}`;

/** The bindings of this folder's wrangler.toml. They are written by hand, because two generated types would merge into one global `Env`. */
export interface CdnEnv extends JournalEnv, MakerEnv, Readonly<Record<VariantsByTier, RateLimit>> {
  readonly FILES: R2Bucket;
  readonly VARIANTS_BY_ADDRESS: RateLimit;
  readonly VARIANT_MAKER: DurableObjectNamespace<VariantMaker>;
  readonly VIEW_JOURNAL: DurableObjectNamespace<ViewJournal>;
  readonly VIEWS: Queue<FileViewed | ViewsCollected>;
  /** Signs the dashboard's uncounted previews. The API Worker has the same secret. */
  readonly PREVIEW_SECRET: string;
  /** The secret's second value, after its first rotation (src/domain/secret-pair.ts). */
  readonly PREVIEW_SECRET_2?: string;
  /** The secrets of signing keys are derived from it. The API Worker has the same secret. */
  readonly URL_SIGNING_SECRET: string;
  readonly URL_SIGNING_SECRET_2?: string;
  /** Rate limits of an address: requests that may be views, and other requests for files. */
  readonly VIEWS_BY_ADDRESS: RateLimit;
  readonly SIGNED_READS_BY_FILE: RateLimit;
  readonly RANGES_BY_ADDRESS: RateLimit;
  readonly FILE_MAX_AGE_SECONDS: string;
  /** The form for reports; empty if the files have the address of the API. */
  readonly REPORT_URL?: string;
  readonly VIEW_JOURNALS: string;
}
