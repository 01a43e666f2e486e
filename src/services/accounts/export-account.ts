import { FIRST_PLACE, type UploadPlace, walkUploads } from "../../db/library/walk-uploads.ts";
import type { AccountSettings } from "../../domain/account-settings.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { LogPosition } from "../../meter/newest-views.ts";
import type { Operation } from "../../meter/operation-log.ts";
import type { AccountContext } from "../context.ts";
import { listFolders } from "../folders/list-folders.ts";
import { type ListedKey, listKeys } from "../keys/list-keys.ts";
import type { Account, FolderWithCount, ListedAlert, Upload } from "../records.ts";
import { shrinkPage, takePage } from "./export-pages.ts";
import { getAccount } from "./get-account.ts";

/** An export reads every row of the account. */
const EXPORTS_PER_HOUR = { count: 10, windowSeconds: 60 * 60 };
/** Uploads and operations of one step. D1 answers 1,000 statements to one invocation: enough for a million uploads. */
const STEP_UPLOADS = 1000;
const STEP_OPERATIONS = 1000;

export type ExportRecord =
  | { readonly type: "account"; readonly account: Account }
  | { readonly type: "settings"; readonly settings: AccountSettings }
  | { readonly type: "key"; readonly key: ListedKey }
  | { readonly type: "alert"; readonly alert: ListedAlert }
  | { readonly type: "folder"; readonly folder: FolderWithCount }
  | { readonly type: "upload"; readonly upload: Upload }
  | { readonly type: "operation"; readonly operation: Operation }
  /** The last one: an export without it broke off. */
  | { readonly type: "end"; readonly counts: ExportCounts };

export interface ExportCounts {
  readonly keys: number;
  readonly alerts: number;
  readonly folders: number;
  readonly uploads: number;
  readonly operations: number;
}

/**
 * Everything that an account holds, one record after the other: memory does not grow with it, and nothing is read before it is asked for.
 * Each record is as it is when its turn comes; what is made meanwhile may be there or not, and what is deleted too.
 * @throws ServiceError 404 where the account is gone, 429 for too many in an hour, 503 where there is no memory; later, Error where a store fails
 */
export async function exportAccount(context: AccountContext): Promise<AsyncGenerator<ExportRecord>> {
  const waitSeconds = await context.addressMeterOf(`export:${context.accountId}`).countOne(EXPORTS_PER_HOUR);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
  // Where there is no memory, that is said before anything else.
  using _page = await takePage();
  return records(context, await getAccount(context));
}

async function* records(context: AccountContext, account: Account): AsyncGenerator<ExportRecord> {
  const counts = { keys: 0, alerts: 0, folders: 0, uploads: 0, operations: 0 };
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

/** What there is beside uploads and operations. */
async function* beside(
  context: AccountContext,
  account: Account,
  counts: { -readonly [Kind in keyof ExportCounts]: number },
): AsyncGenerator<ExportRecord> {
  using _page = await takePage();
  yield { type: "account", account };
  yield { type: "settings", settings: context.settings };
  for (const key of await listKeys(context)) {
    counts.keys += 1;
    yield { type: "key", key };
  }
  for (const alert of await context.meter.listAlerts()) {
    counts.alerts += 1;
    yield { type: "alert", alert };
  }
  for (const folder of await listFolders(context)) {
    counts.folders += 1;
    yield { type: "folder", folder };
  }
}

function charactersOf(uploads: readonly Upload[]): number {
  return uploads.reduce(
    (sum, { objectKey, originalFilename, tags }) =>
      sum + objectKey.length + originalFilename.length + tags.reduce((all, { length }) => all + length, 0),
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
