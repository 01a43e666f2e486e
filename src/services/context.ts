import type { Directory } from "../db/directory/directory.ts";
import type { Libraries } from "../db/library/libraries.ts";
import type { Library } from "../db/library/library.ts";
import type { AccountSettings } from "../domain/account-settings.ts";
import type { Principal } from "../domain/principal.ts";
import type { QueueName, UploadStored } from "../domain/queue-messages.ts";
import type { Shard } from "../domain/shard.ts";
import type { Sender } from "../isolate/retry-queue.ts";
import type { AccountMeter } from "../meter/account-meter.ts";
import type { AddressMeter } from "../meter/address-meter.ts";
import type { AccountFigures, RateFigures } from "../meter/figures.ts";
import type { Reconciler } from "../meter/reconciler.ts";
import type { Claim } from "../meter/request-claims.ts";
import type { ServiceMeter } from "../meter/service-meter.ts";
import type { MediaProcessor } from "../processor/media-processor.ts";
import type { RegistrationConfig } from "./registration-config.ts";
import type { WebhookConfig } from "./webhook-config.ts";

/** What the product's verbs need of the world, without HTTP and without the Worker's `Env`. */
export interface Services {
  readonly directory: Directory;
  readonly libraries: Libraries;
  readonly files: R2Bucket;
  readonly uploadEvents: Sender<UploadStored>;
  /** By the name that the operator knows them by. */
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly processor: MediaProcessor;
  readonly config: Config;
  meterOf(accountId: string): DurableObjectStub<AccountMeter>;
  /** The one object that compares the stores. */
  reconciler(): DurableObjectStub<Reconciler>;
  /** @param name `ip:...`, `login:...`, `confirm:...`, `export:...`, `register:...` or `webhook-test:...` */
  addressMeterOf(name: string): DurableObjectStub<AddressMeter>;
  serviceMeter(): DurableObjectStub<ServiceMeter>;
  now(): number;
  /** Keeps the Worker alive for work that outlasts the answer, or the client. */
  waitUntil(work: Promise<unknown>): void;
}

export interface Config {
  /** What `url` fields start with, without a slash at the end. */
  readonly cdnUrl: string;
  /** The address that the request came to, where previews are, without a slash at the end. */
  readonly apiOrigin: string;
  readonly maxUploadBytes: number;
  readonly addressRatePerMinute: number;
  readonly addressRegistrationsPerHour: number;
  readonly intentTimeoutSeconds: number;
  /** How long counts wait until they are handed on; 0 where nothing is counted. */
  readonly metricsFlushSeconds: number;
  /** Which requests have a line in the log. */
  readonly requestLog: RequestLog;
  readonly jwtSecret: string;
  /** Signs the dashboard's uncounted previews. */
  readonly previewSecret: string;
  readonly adminToken: string;
  readonly registration: RegistrationConfig;
  readonly webhooks: WebhookConfig;
}

/** `errors`: those that are answered 5xx. */
export type RequestLog = "all" | "errors";

/** Where a request comes from. */
export interface Client {
  /** Its network address; of IPv6 the first 64 bits. */
  readonly address: string;
  /** Where the minute of that address stands, once its meter was asked; the headers of answers without an account say it. */
  rate: RateFigures | undefined;
}

/** The world as one account's request sees it. */
export interface AccountContext extends Services {
  readonly accountId: string;
  readonly principal: Principal;
  readonly meter: DurableObjectStub<AccountMeter>;
  /** Where the account's library was at the request's admission. */
  readonly shard: Shard;
  readonly library: Library;
  /** The settings at the request's admission. */
  readonly settings: AccountSettings;
  /** Where the minute's requests stood at the request's admission. */
  readonly rate: RateFigures;
  /** The last figures that the meter answered; the response's headers are made of them. */
  figures: AccountFigures;
  /** The operations of class A that the request has made so far. */
  operations: number;
  /** Set where the request bears an idempotency key. */
  claim?: Claim;
}

/** The key that pays for an operation; null for a session. */
export function payingKey(principal: Principal): string | null {
  return principal.kind === "session" ? null : principal.keyId;
}
