import { readSecret, type SecretBindings } from "../domain/secret-pair.ts";
import { openProcessor, type ProcessorBindings } from "../processor/media-processor.ts";
import type { Config, RequestLog, Services } from "./context.ts";
import { openStores, type StoreBindings } from "./open-stores.ts";
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

/** The services of one request, over a Worker's bindings. */
export function openServices(bindings: Bindings, { origin, waitUntil }: RequestScope): Services {
  return {
    ...openStores(bindings),
    processor: openProcessor(bindings),
    config: readConfig(bindings, origin, Date.now()),
    now: () => Date.now(),
    waitUntil,
  };
}

function readConfig(bindings: Bindings, origin: string, now: number): Config {
  return {
    cdnUrl: bindings.CDN_URL === "" ? origin : bindings.CDN_URL.replace(/\/$/, ""),
    apiOrigin: origin,
    maxUploadBytes: Number(bindings.MAX_UPLOAD_BYTES),
    addressRatePerMinute: Number(bindings.ADDRESS_RATE_PER_MINUTE),
    addressRegistrationsPerHour: Number(bindings.ADDRESS_REGISTRATIONS_PER_HOUR),
    intentTimeoutSeconds: Number(bindings.INTENT_TIMEOUT_SECONDS),
    metricsFlushSeconds: Number(bindings.METRICS_FLUSH_SECONDS) || 0,
    requestLog: readRequestLog(bindings.REQUEST_LOG),
    jwtSecret: readSecret(bindings, "JWT_SECRET", now),
    receiptSecret: readSecret(bindings, "RECEIPT_SECRET", now),
    previewSecret: readSecret(bindings, "PREVIEW_SECRET", now),
    urlSigningSecret: readSecret(bindings, "URL_SIGNING_SECRET", now),
    signInSecret: readSecret(bindings, "SIGN_IN_SECRET", now),
    adminToken: readSecret(bindings, "ADMIN_TOKEN", now),
    authOrigins: (bindings.AUTH_ORIGINS ?? "").split(",").map((origin) => origin.trim()),
    registration: readRegistrationConfig(bindings),
    mail: readMailConfig(bindings, origin),
    webhooks: readWebhookConfig(bindings, [origin, bindings.CDN_URL, bindings.PUBLIC_URL], now),
    moderation: readModerationConfig(bindings),
  };
}

/** Other values log every request. */
function readRequestLog(value: string): RequestLog {
  return value === "errors" ? value : "all";
}
