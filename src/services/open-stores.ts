import { openDirectory } from "../db/directory/directory.ts";
import { openLibraries } from "../db/library/library.ts";
import type { AlertRaised, MailRequested, ProofRequested, UploadStored } from "../domain/queue-messages.ts";
import { retry, retryBucket, retryQueue } from "../isolate/retry.ts";
import type { AccountMeter } from "../meter/account-meter.ts";
import type { AddressMeter } from "../meter/address/address-meter.ts";
import { type ModerationQueueBindings, openModerationQueue } from "../meter/moderation-queue.ts";
import type { Reconciler } from "../meter/reconcile/reconciler.ts";
import { retryAccountMeter, retryStub } from "../meter/retry-stub.ts";
import { SERVICE_METER_NAME, type ServiceMeter } from "../meter/service/service-meter.ts";
import type { Services } from "./context.ts";

/** The databases of shards are not listed here (`openLibraries`). */
export interface StoreBindings extends ModerationQueueBindings {
  readonly DB: D1Database;
  readonly FILES: R2Bucket;
  readonly UPLOADS: Queue<UploadStored>;
  readonly UPLOADS_DEAD: Queue;
  readonly ALERTS: Queue<AlertRaised>;
  readonly ALERTS_DEAD: Queue;
  readonly MAILS: Queue<MailRequested | ProofRequested>;
  readonly MAILS_DEAD: Queue;
  readonly MODERATION_DEAD: Queue;
  readonly VIEWS: Queue;
  readonly VIEWS_DEAD: Queue;
  readonly ACCOUNT_METER: DurableObjectNamespace<AccountMeter>;
  readonly ADDRESS_METER: DurableObjectNamespace<AddressMeter>;
  readonly SERVICE_METER: DurableObjectNamespace<ServiceMeter>;
  readonly RECONCILER: DurableObjectNamespace<Reconciler>;
  readonly KEY_LOOKUPS: RateLimit;
  readonly PREVIEW_READS: RateLimit;
}

/** The stores of a Worker's bindings, with retries of transient failures. */
export function openStores(
  bindings: StoreBindings,
): Pick<
  Services,
  | "directory"
  | "libraries"
  | "files"
  | "uploadEvents"
  | "mails"
  | "moderation"
  | "queues"
  | "meterOf"
  | "addressMeterOf"
  | "serviceMeter"
  | "reconciler"
  | "keyLookups"
  | "previewReads"
> {
  return {
    directory: openDirectory(bindings, retry),
    libraries: openLibraries(bindings, retry),
    files: retryBucket(bindings.FILES),
    queues: {
      uploads: bindings.UPLOADS,
      "uploads-dead": bindings.UPLOADS_DEAD,
      views: bindings.VIEWS,
      "views-dead": bindings.VIEWS_DEAD,
      alerts: bindings.ALERTS,
      "alerts-dead": bindings.ALERTS_DEAD,
      mails: bindings.MAILS,
      "mails-dead": bindings.MAILS_DEAD,
      moderation: bindings.MODERATION,
      "moderation-dead": bindings.MODERATION_DEAD,
    },
    uploadEvents: retryQueue(bindings.UPLOADS),
    mails: retryQueue(bindings.MAILS),
    moderation: openModerationQueue(bindings),
    meterOf: (accountId) => retryAccountMeter(() => bindings.ACCOUNT_METER.getByName(accountId)),
    serviceMeter: () => retryStub(() => bindings.SERVICE_METER.getByName(SERVICE_METER_NAME)),
    reconciler: () => retryStub(() => bindings.RECONCILER.getByName("reconciler")),
    keyLookups: bindings.KEY_LOOKUPS,
    previewReads: bindings.PREVIEW_READS,
    addressMeterOf: (name) => retryStub(() => bindings.ADDRESS_METER.getByName(name)),
  };
}
