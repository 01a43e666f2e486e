import { openDirectory } from "../db/directory/directory.ts";
import { openLibraries } from "../db/library/libraries.ts";
import type { AlertRaised, UploadStored } from "../domain/queue-messages.ts";
import { retry } from "../isolate/retry.ts";
import { retryBucket } from "../isolate/retry-bucket.ts";
import { retryQueue } from "../isolate/retry-queue.ts";
import type { AccountMeter } from "../meter/account-meter.ts";
import type { AddressMeter } from "../meter/address-meter.ts";
import type { Reconciler } from "../meter/reconciler.ts";
import { retryAccountMeter, retryStub } from "../meter/retry-stub.ts";
import { SERVICE_METER_NAME, type ServiceMeter } from "../meter/service-meter.ts";
import type { Services } from "./context.ts";

/** Beside these there is a database for every shard (`openLibraries`). */
export interface StoreBindings {
  readonly DB: D1Database;
  readonly FILES: R2Bucket;
  readonly UPLOADS: Queue<UploadStored>;
  readonly UPLOADS_DEAD: Queue;
  readonly ALERTS: Queue<AlertRaised>;
  readonly ALERTS_DEAD: Queue;
  readonly VIEWS: Queue;
  readonly VIEWS_DEAD: Queue;
  readonly ACCOUNT_METER: DurableObjectNamespace<AccountMeter>;
  readonly ADDRESS_METER: DurableObjectNamespace<AddressMeter>;
  readonly SERVICE_METER: DurableObjectNamespace<ServiceMeter>;
  readonly RECONCILER: DurableObjectNamespace<Reconciler>;
}

/** The stores behind a Worker's bindings: what fails there and may pass is tried again before anybody hears of it. */
export function openStores(
  bindings: StoreBindings,
): Pick<
  Services,
  | "directory"
  | "libraries"
  | "files"
  | "uploadEvents"
  | "queues"
  | "meterOf"
  | "addressMeterOf"
  | "serviceMeter"
  | "reconciler"
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
    },
    uploadEvents: retryQueue(bindings.UPLOADS),
    meterOf: (accountId) => retryAccountMeter(() => bindings.ACCOUNT_METER.getByName(accountId)),
    serviceMeter: () => retryStub(() => bindings.SERVICE_METER.getByName(SERVICE_METER_NAME)),
    reconciler: () => retryStub(() => bindings.RECONCILER.getByName("reconciler")),
    addressMeterOf: (name) => retryStub(() => bindings.ADDRESS_METER.getByName(name)),
  };
}
