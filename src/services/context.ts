import type { Directory } from "../db/directory/directory.ts";
import type { Libraries, Library } from "../db/library/library.ts";
import type { Upload } from "../db/library/schema.ts";
import type { AccountSettings } from "../domain/account-settings.ts";
import type { Shard } from "../domain/ids.ts";
import type { ImportItemRef } from "../domain/imports.ts";
import type { Principal } from "../domain/principal.ts";
import type {
  ImportDue,
  MailRequested,
  ModerationRequested,
  ProofRequested,
  QueueName,
  UploadStored,
} from "../domain/queue-messages.ts";
import type { SecretPair } from "../domain/secret-pair.ts";
import type { VariantRecord } from "../domain/variants/made-variants.ts";
import type { Sender } from "../isolate/calls.ts";
import type { AccountMeter } from "../meter/account-meter.ts";
import type { AddressMeter } from "../meter/address/address-meter.ts";
import type { AccountFigures } from "../meter/books/figures.ts";
import type { Claim } from "../meter/books/request-claims.ts";
import type { Reconciler } from "../meter/reconcile/reconciler.ts";
import type { RateFigures } from "../meter/request-limits.ts";
import type { ServiceMeter } from "../meter/service/service-meter.ts";
import type { MediaProcessor } from "../processor/media-processor.ts";
import type { MailConfig, ModerationConfig, RegistrationConfig, WebhookConfig } from "./read-config.ts";

/** The dependencies of the services, without HTTP and without the Worker's `Env`. */
export interface Services {
  readonly directory: Directory;
  readonly libraries: Libraries;
  readonly files: R2Bucket;
  readonly uploadEvents: Sender<UploadStored>;
  readonly mails: Sender<MailRequested | ProofRequested>;
  /** Undefined if the installation has no moderation hook. */
  readonly moderation: Sender<ModerationRequested> | undefined;
  readonly importsDue: Sender<ImportDue>;
  /** The queues by their operator's names. */
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly processor: MediaProcessor;
  readonly config: Config;
  meterOf(accountId: string): DurableObjectStub<AccountMeter>;
  /** The object that compares the stores. There is only one. */
  reconciler(): DurableObjectStub<Reconciler>;
  /** @param name `ip:...`, `login:...`, `code:...`, `export:...`, `register:...`, `webhook-test:...` or `import-host:...` */
  addressMeterOf(name: string): DurableObjectStub<AddressMeter>;
  serviceMeter(): DurableObjectStub<ServiceMeter>;
  /** The record of an account's stored variants, which the CDN Worker keeps. */
  variantsOf(accountId: string): VariantRecord;
  /** Limits look-ups of unknown keys without calling an object. */
  readonly keyLookups: RateLimit;
  /** The platform's counter of reads of a preview. */
  readonly previewReads: RateLimit;
  now(): number;
  /** Keeps the Worker alive for work that outlasts the answer or the client. */
  waitUntil(work: Promise<unknown>): void;
}

export interface Config {
  /** Prefix of `url` fields, without a trailing slash. */
  readonly cdnUrl: string;
  /** The request's origin, where previews are served, without a trailing slash. */
  readonly apiOrigin: string;
  readonly maxUploadBytes: number;
  readonly addressRatePerMinute: number;
  readonly addressRegistrationsPerHour: number;
  readonly intentTimeoutSeconds: number;
  /** The delay before counts are flushed; 0 turns counting off. */
  readonly metricsFlushSeconds: number;
  /** Requests that are logged. */
  readonly requestLog: RequestLog;
  readonly jwtSecret: SecretPair;
  /** Signs receipts of erasures. */
  readonly receiptSecret: SecretPair;
  /** Signs the dashboard's uncounted previews. */
  readonly previewSecret: SecretPair;
  /** The secrets of signing keys are derived from it. */
  readonly urlSigningSecret: SecretPair;
  /** Encrypts the secrets of authenticator apps, and signs the challenges of passkeys. */
  readonly signInSecret: SecretPair;
  readonly adminToken: SecretPair;
  /** Origins of pages that may use the endpoints under `/auth/` from another origin. */
  readonly authOrigins: readonly string[];
  readonly registration: RegistrationConfig;
  readonly mail: MailConfig;
  readonly webhooks: WebhookConfig;
  /** Undefined if the installation has no moderation hook. */
  readonly moderation: ModerationConfig | undefined;
}

/** `errors`: only requests answered 5xx. */
export type RequestLog = "all" | "errors";

/** The sender of a request. */
export interface Client {
  /** Its network address; the first 64 bits of an IPv6 address; `worker:<zone>` for a Worker of another zone. */
  readonly address: string;
  /** Its program and system in words for people (`deviceName`). */
  readonly device: string;
  /** The token of the browser's device cookie, at a log-in. */
  deviceToken?: string;
  /** The rate of the address, once its meter answered; answers without an account have it in their headers. */
  rate: RateFigures | undefined;
}

/** The services for one account's request. */
export interface AccountContext extends Services {
  readonly accountId: string;
  readonly client: Client;
  readonly principal: Principal;
  readonly meter: DurableObjectStub<AccountMeter>;
  /** The library's shard when the request was admitted. */
  readonly shard: Shard;
  readonly library: Library;
  /** The settings when the request was admitted. */
  readonly settings: AccountSettings;
  /** The rate when the request was admitted. */
  readonly rate: RateFigures;
  /** The time at which the user last proved to be the owner, in milliseconds; 0 for a key. */
  readonly provedAt: number;
  /** The meter's latest figures, for the response's headers. */
  figures: AccountFigures;
  /** Whether somebody wants the events of changes that only D1 has. */
  readonly wantsChanges: boolean;
  /** Operations of class A that the request has made. */
  operations: number;
  /** Set if the request has an idempotency key. */
  claim?: Claim;
  /** The item of an import that the next upload completes, and the id of that upload. */
  readonly importItem?: ImportItemRef & { readonly uploadId: string };
  /** The file that gets the bytes of the request, as it was read; undefined if the request stores new files. */
  replaces?: Upload;
}

/**
 * The library of an account for a job or the operator, with one call to the account's meter.
 * @returns undefined if the account no longer exists
 */
export async function openLibrary(
  { libraries, meterOf }: Pick<Services, "libraries" | "meterOf">,
  accountId: string,
): Promise<Library | undefined> {
  const meter = meterOf(accountId);
  const shard = await meter.locate();
  return shard && libraries.open(shard, async () => (await meter.locate()) ?? shard);
}
