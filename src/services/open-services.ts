import { openProcessor, type ProcessorBindings } from "../processor/open-processor.ts";
import type { Config, RequestLog, Services } from "./context.ts";
import { openStores, type StoreBindings } from "./open-stores.ts";
import { type RegistrationBindings, readRegistrationConfig } from "./registration-config.ts";
import { readWebhookConfig, type WebhookBindings } from "./webhook-config.ts";

/** What the services need of a Worker's bindings. */
export interface Bindings extends ProcessorBindings, StoreBindings, RegistrationBindings, WebhookBindings {
  readonly CDN_URL: string;
  readonly MAX_UPLOAD_BYTES: string;
  readonly ADDRESS_RATE_PER_MINUTE: string;
  readonly ADDRESS_REGISTRATIONS_PER_HOUR: string;
  readonly INTENT_TIMEOUT_SECONDS: string;
  readonly METRICS_FLUSH_SECONDS: string;
  readonly REQUEST_LOG: string;
  readonly JWT_SECRET: string;
  readonly PREVIEW_SECRET: string;
  readonly ADMIN_TOKEN: string;
}

/** What the services need of the request that they serve. */
export interface RequestScope {
  /** The address that the request came to, without a slash at the end: what URLs start with where `CDN_URL` is empty. */
  readonly origin: string;
  waitUntil(work: Promise<unknown>): void;
}

/** The scope of a job, which has no request: no URL is made, and the queue waits for all of its work. */
export const NO_REQUEST: RequestScope = { origin: "", waitUntil: () => undefined };

/** The services of one request, over a Worker's bindings. */
export function openServices(bindings: Bindings, { origin, waitUntil }: RequestScope): Services {
  return {
    ...openStores(bindings),
    processor: openProcessor(bindings),
    config: readConfig(bindings, origin),
    now: () => Date.now(),
    waitUntil,
  };
}

function readConfig(bindings: Bindings, origin: string): Config {
  return {
    cdnUrl: bindings.CDN_URL === "" ? origin : bindings.CDN_URL.replace(/\/$/, ""),
    apiOrigin: origin,
    maxUploadBytes: Number(bindings.MAX_UPLOAD_BYTES),
    addressRatePerMinute: Number(bindings.ADDRESS_RATE_PER_MINUTE),
    addressRegistrationsPerHour: Number(bindings.ADDRESS_REGISTRATIONS_PER_HOUR),
    intentTimeoutSeconds: Number(bindings.INTENT_TIMEOUT_SECONDS),
    metricsFlushSeconds: Number(bindings.METRICS_FLUSH_SECONDS) || 0,
    requestLog: readRequestLog(bindings.REQUEST_LOG),
    jwtSecret: bindings.JWT_SECRET,
    previewSecret: bindings.PREVIEW_SECRET,
    adminToken: bindings.ADMIN_TOKEN,
    registration: readRegistrationConfig(bindings),
    webhooks: readWebhookConfig(bindings, [origin, bindings.CDN_URL]),
  };
}

/** Where it is something else, nothing is left out. */
function readRequestLog(value: string): RequestLog {
  return value === "errors" ? value : "all";
}
