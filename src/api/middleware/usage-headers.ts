import type { MiddlewareHandler } from "hono";
import { minuteWindow } from "../../domain/calendar.ts";
import { toOperations } from "../../domain/operations.ts";
import type { AppEnv } from "../app-env.ts";

/** On every response of the API (specification, Response headers); exposed to scripts of other origins. */
export const USAGE_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Operations-Used",
  "X-Operations-Limit",
  "X-Storage-Used",
  "X-Storage-Limit",
] as const;

type UsageHeader = (typeof USAGE_HEADERS)[number];

/** Writes the seven headers from what the request's meter answered last; without an account the usage figures are 0. */
export const usageHeaders: MiddlewareHandler<AppEnv> = async function usageHeaders(c, next) {
  await next();
  const figures = c.var.account?.figures;
  const rate = c.var.account?.rate ?? c.var.client.rate;
  const limit = rate?.limit ?? c.var.services.config.addressRatePerMinute;
  const values: Record<UsageHeader, number> = {
    "X-RateLimit-Limit": limit,
    "X-RateLimit-Remaining": rate?.remaining ?? limit,
    "X-RateLimit-Reset": Math.ceil((rate?.resetAt ?? minuteWindow(c.var.services.now()).endsAt) / 1000),
    "X-Operations-Used": toOperations(figures?.operationsUsedTenths ?? 0),
    "X-Operations-Limit": figures?.operationsLimit ?? 0,
    "X-Storage-Used": figures?.storageUsedBytes ?? 0,
    "X-Storage-Limit": figures?.storageLimitBytes ?? 0,
  };
  for (const name of USAGE_HEADERS) c.res.headers.set(name, String(values[name]));
};
