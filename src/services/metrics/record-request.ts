import { dayOf } from "../../domain/calendar.ts";
import { durationBucket } from "../../domain/metrics.ts";
import type { AccountContext, Services } from "../context.ts";
import { count } from "./counts.ts";
import { scheduleCounts } from "./hand-on-counts.ts";
import { countKeyRequest } from "./key-counts.ts";

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** As it is declared (`/images/{id}`), never the path that was asked for. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly account: AccountContext | undefined;
}

/** Counts a request for GET /metrics and, where an API key made it, for the key's analytics. */
export function recordRequest(services: Services, request: AnsweredRequest): void {
  if (services.config.metricsFlushSeconds <= 0) return;
  const { method, route, status, milliseconds, account } = request;
  const seconds = milliseconds / 1000;
  count("media_http_requests_total", { method, route, status });
  count("media_http_request_duration_seconds", { method, route, le: durationBucket(seconds) }, 1, "_bucket");
  count("media_http_request_duration_seconds", { method, route }, seconds, "_sum");
  // Upload keys have no analytics (specification, API keys), and those of the paid tiers are API keys.
  if (account?.principal.kind === "api-key") {
    countKeyRequest(account.accountId, {
      keyId: account.principal.keyId,
      day: dayOf(services.now()),
      endpoint: `${method} ${route}`,
      requests: 1,
      operations: account.operations,
      errors: status >= 400 ? 1 : 0,
    });
  }
  scheduleCounts(services);
}
