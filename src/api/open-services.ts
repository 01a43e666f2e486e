import type { Context } from "hono";
import { openDb } from "../db/client.ts";
import { openProcessor } from "../processor/open-processor.ts";
import type { Config, Services } from "../services/context.ts";
import type { AppEnv } from "./app-env.ts";

/** The bindings of this Worker as the services know them. */
export function openServices(c: Context<AppEnv>): Services {
  const { env } = c;
  return {
    db: openDb(env.DB),
    files: env.FILES,
    uploadEvents: env.UPLOADS,
    processor: openProcessor(env),
    config: readConfig(env, new URL(c.req.url).origin),
    meterOf: (accountId) => env.ACCOUNT_METER.getByName(accountId),
    addressMeterOf: (name) => env.ADDRESS_METER.getByName(name),
    now: () => Date.now(),
    waitUntil: (work) => c.executionCtx.waitUntil(work),
  };
}

function readConfig(env: Env, origin: string): Config {
  return {
    cdnUrl: env.CDN_URL === "" ? origin : env.CDN_URL.replace(/\/$/, ""),
    maxUploadBytes: Number(env.MAX_UPLOAD_BYTES),
    addressRatePerMinute: Number(env.ADDRESS_RATE_PER_MINUTE),
    addressRegistrationsPerHour: Number(env.ADDRESS_REGISTRATIONS_PER_HOUR),
    intentTimeoutSeconds: Number(env.INTENT_TIMEOUT_SECONDS),
    jwtSecret: env.JWT_SECRET,
    adminToken: env.ADMIN_TOKEN,
  };
}
