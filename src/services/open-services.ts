import { openDirectory } from "../db/directory/directory.ts";
import { openLibraries } from "../db/library/library.ts";
import type { AlertRaised, ImportDue, MailRequested, ProofRequested, UploadStored } from "../domain/queue-messages.ts";
import { readSecret, type SecretBindings, type SecretName } from "../domain/secret-pair.ts";
import type { VariantRecord } from "../domain/variants/made-variants.ts";
import { retry, retryBucket, retryQueue, retryStub } from "../isolate/calls.ts";
import type { AccountMeter } from "../meter/account-meter.ts";
import type { AddressMeter } from "../meter/address/address-meter.ts";
import type { Deletion, Unfinished } from "../meter/intents/outcomes.ts";
import { type ModerationQueueBindings, openModerationQueue } from "../meter/moderation-queue.ts";
import type { Reconciler } from "../meter/reconcile/reconciler.ts";
import { SERVICE_METER_NAME, type ServiceMeter } from "../meter/service/service-meter.ts";
import { openProcessor, type ProcessorBindings } from "../processor/media-processor.ts";
import type { Config, Services } from "./context.ts";
import {
  type MailConfigBindings,
  type ModerationBindings,
  type RegistrationBindings,
  readMailConfig,
  readModerationConfig,
  readRegistrationConfig,
  readWebhookConfig,
  type WebhookBindings,
} from "./read-config.ts";

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
  readonly IMPORTS: Queue<ImportDue>;
  readonly IMPORTS_DEAD: Queue;
  readonly VIEWS: Queue;
  readonly VIEWS_DEAD: Queue;
  readonly ACCOUNT_METER: DurableObjectNamespace<AccountMeter>;
  readonly ADDRESS_METER: DurableObjectNamespace<AddressMeter>;
  readonly SERVICE_METER: DurableObjectNamespace<ServiceMeter>;
  readonly RECONCILER: DurableObjectNamespace<Reconciler>;
  readonly VARIANT_BUDGET: { getByName(accountId: string): VariantRecord };
  readonly KEY_LOOKUPS: RateLimit;
  readonly PREVIEW_READS: RateLimit;
}

/** The Worker's bindings that the services need. */
export interface Bindings
  extends ProcessorBindings,
    StoreBindings,
    RegistrationBindings,
    WebhookBindings,
    MailConfigBindings,
    ModerationBindings,
    SecretBindings<"JWT_SECRET">,
    SecretBindings<"RECEIPT_SECRET">,
    SecretBindings<"PREVIEW_SECRET">,
    SecretBindings<"URL_SIGNING_SECRET">,
    SecretBindings<"SIGN_IN_SECRET">,
    SecretBindings<"ADMIN_TOKEN"> {
  readonly CDN_URL: string;
  readonly MAX_UPLOAD_BYTES: string;
  readonly ADDRESS_RATE_PER_MINUTE: string;
  readonly ADDRESS_REGISTRATIONS_PER_HOUR: string;
  readonly INTENT_TIMEOUT_SECONDS: string;
  readonly METRICS_FLUSH_SECONDS: string;
  readonly REQUEST_LOG: string;
  readonly AUTH_ORIGINS?: string;
}

/** The services' view of the request that they serve. */
export interface RequestScope {
  /** The request's origin without a trailing slash: the prefix of URLs if `CDN_URL` is empty. */
  readonly origin: string;
  waitUntil(work: Promise<unknown>): void;
}

/** The scope of a job, which has no request. It makes no URLs, and the queue waits for its work. */
export const NO_REQUEST: RequestScope = { origin: "", waitUntil: () => undefined };

type Stores = Pick<
  Services,
  | "directory"
  | "libraries"
  | "files"
  | "uploadEvents"
  | "mails"
  | "moderation"
  | "importsDue"
  | "queues"
  | "meterOf"
  | "addressMeterOf"
  | "serviceMeter"
  | "variantsOf"
  | "reconciler"
  | "keyLookups"
  | "previewReads"
>;

/** An isolate opens its stores once: they hold bindings and nothing of a request. */
const opened = new WeakMap<Bindings, Stores & Pick<Services, "processor">>();

/** The services of one request, over a Worker's bindings. */
export function openServices(bindings: Bindings, { origin, waitUntil }: RequestScope): Services {
  const stores = opened.get(bindings) ?? { ...openStores(bindings), processor: openProcessor(bindings) };
  opened.set(bindings, stores);
  return { ...stores, config: new RequestConfig(bindings, origin), now: () => Date.now(), waitUntil };
}

/** The stores of a Worker's bindings, with retries of transient failures. */
export function openStores(bindings: StoreBindings): Stores {
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
      imports: bindings.IMPORTS,
      "imports-dead": bindings.IMPORTS_DEAD,
    },
    uploadEvents: retryQueue(bindings.UPLOADS),
    mails: retryQueue(bindings.MAILS),
    moderation: openModerationQueue(bindings),
    importsDue: retryQueue(bindings.IMPORTS),
    meterOf: (accountId) => retryAccountMeter(() => bindings.ACCOUNT_METER.getByName(accountId)),
    serviceMeter: () => retryStub(() => bindings.SERVICE_METER.getByName(SERVICE_METER_NAME)),
    variantsOf: (accountId) => retryStub(() => bindings.VARIANT_BUDGET.getByName(accountId)),
    reconciler: () => retryStub(() => bindings.RECONCILER.getByName("reconciler")),
    keyLookups: bindings.KEY_LOOKUPS,
    previewReads: bindings.PREVIEW_READS,
    addressMeterOf: (name) => retryStub(() => bindings.ADDRESS_METER.getByName(name)),
  };
}

/** The configuration of one request. Each part is read when it is needed. */
class RequestConfig implements Config {
  readonly #bindings: Bindings;
  readonly apiOrigin: string;

  constructor(bindings: Bindings, origin: string) {
    this.#bindings = bindings;
    this.apiOrigin = origin;
  }

  get cdnUrl() {
    const { CDN_URL } = this.#bindings;
    return CDN_URL === "" ? this.apiOrigin : CDN_URL.replace(/\/$/, "");
  }

  get maxUploadBytes() {
    return Number(this.#bindings.MAX_UPLOAD_BYTES);
  }

  get addressRatePerMinute() {
    return Number(this.#bindings.ADDRESS_RATE_PER_MINUTE);
  }

  get addressRegistrationsPerHour() {
    return Number(this.#bindings.ADDRESS_REGISTRATIONS_PER_HOUR);
  }

  get intentTimeoutSeconds() {
    return Number(this.#bindings.INTENT_TIMEOUT_SECONDS);
  }

  get metricsFlushSeconds() {
    return Number(this.#bindings.METRICS_FLUSH_SECONDS) || 0;
  }

  /** Other values log every request. */
  get requestLog() {
    return this.#bindings.REQUEST_LOG === "errors" ? "errors" : "all";
  }

  get authOrigins() {
    return (this.#bindings.AUTH_ORIGINS ?? "").split(",").map((origin) => origin.trim());
  }

  get jwtSecret() {
    return this.#secret("JWT_SECRET");
  }

  get receiptSecret() {
    return this.#secret("RECEIPT_SECRET");
  }

  get previewSecret() {
    return this.#secret("PREVIEW_SECRET");
  }

  get urlSigningSecret() {
    return this.#secret("URL_SIGNING_SECRET");
  }

  get signInSecret() {
    return this.#secret("SIGN_IN_SECRET");
  }

  get adminToken() {
    return this.#secret("ADMIN_TOKEN");
  }

  get registration() {
    return readRegistrationConfig(this.#bindings);
  }

  get mail() {
    return readMailConfig(this.#bindings, this.apiOrigin);
  }

  get webhooks() {
    const { CDN_URL, PUBLIC_URL } = this.#bindings;
    return readWebhookConfig(this.#bindings, [this.apiOrigin, CDN_URL, PUBLIC_URL], Date.now());
  }

  get moderation() {
    return readModerationConfig(this.#bindings);
  }

  #secret(name: SecretName) {
    return readSecret(this.#bindings, name, Date.now());
  }
}

/** Wraps an account's meter, so that lost calls are repeated. */
export function retryAccountMeter<Stub extends object>(open: () => Stub): Stub {
  return retryStub(open, (method, result) => {
    if (method === "deleteUpload") return toDeleted(result as Deletion);
    if (method === "deleteUploads") return (result as readonly (Deletion | Unfinished)[]).map(toDeleted);
    return method === "removeResumable" && result === "unknown" ? "removed" : result;
  });
}

/** The lost call may have deleted the upload, or another call did. In both cases it is deleted, as requested. */
function toDeleted(result: Deletion | Unfinished): Deletion | Unfinished {
  return result.outcome === "gone" ? { ...result, outcome: "deleted" } : result;
}
