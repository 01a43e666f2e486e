import { openDb } from "../db/client.ts";
import type { UploadStored } from "../domain/queue-messages.ts";
import { retry } from "../isolate/retry.ts";
import { retryBucket } from "../isolate/retry-bucket.ts";
import { retryQueue } from "../isolate/retry-queue.ts";
import type { AccountMeter } from "../meter/account-meter.ts";
import type { AddressMeter } from "../meter/address-meter.ts";
import { retryAccountMeter, retryStub } from "../meter/retry-stub.ts";
import type { Services } from "./context.ts";

export interface StoreBindings {
  readonly DB: D1Database;
  readonly FILES: R2Bucket;
  readonly UPLOADS: Queue<UploadStored>;
  readonly ACCOUNT_METER: DurableObjectNamespace<AccountMeter>;
  readonly ADDRESS_METER: DurableObjectNamespace<AddressMeter>;
}

/** The stores behind a Worker's bindings: what fails there and may pass is tried again before anybody hears of it. */
export function openStores(
  bindings: StoreBindings,
): Pick<Services, "db" | "database" | "files" | "uploadEvents" | "meterOf" | "addressMeterOf"> {
  return {
    db: openDb(bindings.DB, retry),
    database: bindings.DB,
    files: retryBucket(bindings.FILES),
    uploadEvents: retryQueue(bindings.UPLOADS),
    meterOf: (accountId) => retryAccountMeter(() => bindings.ACCOUNT_METER.getByName(accountId)),
    addressMeterOf: (name) => retryStub(() => bindings.ADDRESS_METER.getByName(name)),
  };
}
