import { FIRST_PLACE, type UploadPlace, walkUploads } from "../../db/library/walk-uploads.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { SavedSearch } from "../../domain/saved-search.ts";
import type { Operation } from "../../meter/books/operation.ts";
import type { CountedShare } from "../../meter/books/share-store.ts";
import type { StoredUploadToken } from "../../meter/books/upload-token-store.ts";
import type { ListedWebhook } from "../../meter/events/event.ts";
import type { LogPosition } from "../../meter/views/log-position.ts";
import type { AccountContext } from "../context.ts";
import { listFolders } from "../folders/read-folders.ts";
import { getImport, listImports } from "../imports/read-imports.ts";
import { type ListedKey, listKeys } from "../keys/list-keys.ts";
import { walkPages } from "../paging.ts";
import type { Account, FolderWithCount, ListedAlert, StoredImport, StoredItem, UploadWithHistory } from "../records.ts";
import { listShares } from "../shares/shares.ts";
import { listUploadTokens } from "../upload-tokens/list-upload-tokens.ts";
import { shrinkPage, takePage } from "./export-pages.ts";
import { getAccount } from "./get-account.ts";
import { listPresets, type Preset } from "./presets.ts";
import { type ListedSigningKey, listSigningKeys } from "./signing-keys.ts";
import { showSettings } from "./update-settings.ts";

/** An export reads every row of the account, so it is limited. */
const EXPORTS_PER_HOUR = { count: 10, windowSeconds: 60 * 60 };
/** Rows read in one step. D1 allows 1,000 statements for each invocation: enough for a million uploads. */
const STEP_UPLOADS = 1000;
const STEP_OPERATIONS = 1000;

export type ExportRecord =
  | { readonly type: "account"; readonly account: Account }
  | { readonly type: "settings"; readonly settings: ReturnType<typeof showSettings> }
  | { readonly type: "preset"; readonly preset: Preset }
  | { readonly type: "key"; readonly key: ListedKey }
  | { readonly type: "signingKey"; readonly signingKey: ListedSigningKey }
  | { readonly type: "uploadToken"; readonly uploadToken: StoredUploadToken }
  | { readonly type: "share"; readonly share: CountedShare }
  | { readonly type: "webhook"; readonly webhook: ListedWebhook }
  | { readonly type: "import"; readonly found: StoredImport }
  | { readonly type: "importItem"; readonly importId: string; readonly item: StoredItem }
  | { readonly type: "alert"; readonly alert: ListedAlert }
  | { readonly type: "savedSearch"; readonly search: SavedSearch }
  | { readonly type: "folder"; readonly folder: FolderWithCount }
  | { readonly type: "upload"; readonly upload: UploadWithHistory }
  | { readonly type: "operation"; readonly operation: Operation }
  /** The last record: an export without it is incomplete. */
  | { readonly type: "end"; readonly counts: ExportCounts };

export interface ExportCounts {
  readonly presets: number;
  readonly keys: number;
  readonly signingKeys: number;
  readonly uploadTokens: number;
  readonly shares: number;
  readonly webhooks: number;
  readonly imports: number;
  readonly importItems: number;
  readonly alerts: number;
  readonly savedSearches: number;
  readonly folders: number;
  readonly uploads: number;
  readonly operations: number;
}

/**
 * All records of an account (ACC-2), one after the other: memory does not grow with the account, and rows are read on
 * demand. Each record is current when it is read; rows that are created or deleted during the export may be missing or
 * present.
 * @throws ServiceError 404 if the account is gone, 429 for too many exports in an hour, 503 without memory; while
 * reading, Error if a store fails
 */
export async function exportAccount(context: AccountContext): Promise<AsyncGenerator<ExportRecord>> {
  const waitSeconds = await context.addressMeterOf(`export:${context.accountId}`).countOne(EXPORTS_PER_HOUR);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
  // A lack of memory must be answered before the export begins.
  using _page = await takePage();
  return records(context, await getAccount(context));
}

async function* records(context: AccountContext, account: Account): AsyncGenerator<ExportRecord> {
  const counts = {
    presets: 0,
    keys: 0,
    signingKeys: 0,
    uploadTokens: 0,
    shares: 0,
    webhooks: 0,
    imports: 0,
    importItems: 0,
    alerts: 0,
    savedSearches: 0,
    folders: 0,
    uploads: 0,
    operations: 0,
  };
  yield* beside(context, account, counts);
  for (let place: UploadPlace | undefined = FIRST_PLACE; place !== undefined; ) {
    using held = await takePage();
    const step: Awaited<ReturnType<typeof walkUploads>> = await walkUploads(
      context.library,
      context.accountId,
      place,
      STEP_UPLOADS,
    );
    shrinkPage(held, step.uploads.length, charactersOf(step.uploads));
    for (const upload of step.uploads) {
      counts.uploads += 1;
      yield { type: "upload", upload };
    }
    place = step.next;
  }
  for await (const operation of operations(context)) {
    counts.operations += 1;
    yield { type: "operation", operation };
  }
  yield { type: "end", counts };
}

/** Records other than uploads and operations. */
async function* beside(
  context: AccountContext,
  account: Account,
  counts: { -readonly [Kind in keyof ExportCounts]: number },
): AsyncGenerator<ExportRecord> {
  using _page = await takePage();
  yield { type: "account", account };
  yield { type: "settings", settings: showSettings(context.settings) };
  for await (const preset of walkPages((query) => listPresets(context, query))) {
    counts.presets += 1;
    yield { type: "preset", preset };
  }
  for await (const key of walkPages((query) => listKeys(context, query))) {
    counts.keys += 1;
    yield { type: "key", key };
  }
  for await (const signingKey of walkPages((query) => listSigningKeys(context, query))) {
    counts.signingKeys += 1;
    yield { type: "signingKey", signingKey };
  }
  for await (const uploadToken of walkPages((query) => listUploadTokens(context, query))) {
    counts.uploadTokens += 1;
    yield { type: "uploadToken", uploadToken };
  }
  for await (const share of walkPages((query) => listShares(context, query))) {
    counts.shares += 1;
    yield { type: "share", share };
  }
  for (const webhook of await context.meter.listWebhooks()) {
    counts.webhooks += 1;
    yield { type: "webhook", webhook };
  }
  for await (const found of walkPages((query) => listImports(context, query))) {
    counts.imports += 1;
    yield { type: "import", found };
    for await (const item of walkPages(async (query) => (await getImport(context, found.id, query)).items)) {
      counts.importItems += 1;
      yield { type: "importItem", importId: found.id, item };
    }
  }
  for (const alert of await context.meter.listAlerts()) {
    counts.alerts += 1;
    yield { type: "alert", alert };
  }
  for (const search of await context.meter.listSavedSearches()) {
    counts.savedSearches += 1;
    yield { type: "savedSearch", search };
  }
  for await (const folder of walkPages((query) => listFolders(context, query))) {
    counts.folders += 1;
    yield { type: "folder", folder };
  }
}

/** The text of a history is ASCII, which takes one byte a character. */
function charactersOf(uploads: readonly UploadWithHistory[]): number {
  return uploads.reduce(
    (sum, { objectKey, originalFilename, tags, history }) =>
      sum +
      objectKey.length +
      originalFilename.length +
      (history?.length ?? 0) / 2 +
      tags.reduce((all, { length }) => all + length, 0),
    0,
  );
}

async function* operations({ meter }: AccountContext): AsyncGenerator<Operation> {
  let before: LogPosition | undefined;
  for (;;) {
    using page = await takePage();
    const step: Operation[] = await meter.walkOperations(STEP_OPERATIONS, before);
    shrinkPage(page, step.length, 0);
    yield* step;
    const last = step.at(-1);
    if (last === undefined || step.length < STEP_OPERATIONS) return;
    before = { at: last.at, id: last.id };
  }
}
