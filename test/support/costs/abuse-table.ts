import {
  ALLOWANCE_MICRODOLLARS,
  AWAKE_SECOND_MICRODOLLARS,
  AWAKE_SECONDS,
  CHANGE_MICRODOLLARS,
  CHANGES_OF_VISIBILITY,
  MAX_ORDER_SECONDS,
  PIECE_MICRODOLLARS,
  PREVIEW_SECONDS_PER_DAY,
  PROCESSOR_SECOND_MICRODOLLARS,
  VARIANT_MICRODOLLARS,
} from "../../../src/domain/allowance.ts";
import {
  type CountLimit,
  NEW_DEVICE_MAILS,
  PASSKEYS_PER_ADDRESS,
  PASSWORD_CHANGES,
  TRIES_PER_ADDRESS,
} from "../../../src/domain/log-in-limits.ts";
import { DROP_EVERY_MS, PIECES_PER_MINUTE } from "../../../src/domain/resumable.ts";
import { SHARE_VISITS_PER_MINUTE } from "../../../src/domain/share.ts";
import { MAX_UPLOADS_IN_PROGRESS, TIERS } from "../../../src/domain/tiers.ts";
import { toTable } from "../../../src/domain/to-table.ts";
import { DOLLARS_PER_MILLION } from "./prices.ts";

/** A kind of request that an anonymous or Free caller can make. */
export interface Abuse {
  readonly request: string;
  readonly payer: "account" | "address";
  /** The price of a million such requests. */
  readonly dollarsPerMillion: number;
  /** The most requests in a month that the limit allows. */
  readonly requestsPerMonth: number;
  readonly limit: string;
}

/** The most that one kind of request may cost a payer in a month. */
export const MOST_DOLLARS = { account: 5, address: 20 } as const;

const DAYS = 30;
const MINUTES = DAYS * 24 * 60;
/** The price of a CPU second in dollars (Workers pricing: $0.02 for a million milliseconds). */
const DOLLARS_PER_CPU_SECOND = 0.02 / 1000;
/** The longest measured compression: a PNG of 100 megapixels. */
const COMPRESSION_SECONDS = 15.8;
/** `VIEWS_BY_ADDRESS` and `RANGES_BY_ADDRESS` (src/cdn/wrangler.toml). */
const VIEWS_PER_MINUTE = 450;
const RANGES_PER_MINUTE = 600;
/** `VARIANTS_BY_ADDRESS` and `ORDERS_BY_ADDRESS` (src/cdn/wrangler.toml). */
const VARIANTS_PER_MINUTE = 30;
const ORDERS_PER_MINUTE = 6;
/** CPU seconds of a variant in the Codec Worker. */
const VARIANT_SECONDS = 0.1;
/** A video of 90 MB and its thumbnail (docs/operating/costs.md). */
const VIDEO = 89.6 + 10.6;
/** Seconds of the media processor for an ordinary order, or for a thumbnail. */
const ORDER_SECONDS = 2;
/** `KEY_LOOKUPS` (wrangler.toml). */
const LOOKUPS_PER_MINUTE = 600;
/** `ADDRESS_REGISTRATIONS_PER_HOUR` (wrangler.toml). */
const REGISTRATIONS_PER_HOUR = 20;
/** `REQUESTS_PER_ADDRESS` (src/services/accounts/reset-password.ts). */
const FORGOTTEN_PER_HOUR = 20;
/** CPU seconds of one password (`src/services/auth/passwords.ts`): a third of a second, rounded up. */
const PASSWORD_SECONDS = 0.4;
/** CPU seconds of a passkey's answer: 0.6 milliseconds in Node, and 6 for the first in an isolate, rounded up. */
const PASSKEY_SECONDS = 0.007;
/** `TRIES_PER_ADDRESS`, `PASSKEYS_PER_ADDRESS` and `PASSWORD_CHANGES` (src/domain/log-in-limits.ts), an hour. */
const perHour = ({ count, windowSeconds }: CountLimit) => (count * 3600) / windowSeconds;
/** A slow upload signals each quarter of `INTENT_TIMEOUT_SECONDS`. A hundred signals write one row (api/intents/slow-uploads.test.ts). */
const SIGNS_PER_MINUTE = 2;
const ROWS_PER_SIGN = 0.01;
/** `REPORTS` (src/services/operator/reports.ts). */
const REPORTS_PER_HOUR = 10;
/** A million mails by Cloudflare's e-mail sending, beyond the included 3,000 a month. */
const MAIL = 350;
/** The rate limiting rule of the zone (docs/operating/costs.md). */
const ZONE_REQUESTS_PER_SECOND = 25;

/** The first month has a full allowance and its refill. */
const ALLOWANCE = 2 * ALLOWANCE_MICRODOLLARS.free;
const PER_MINUTE = TIERS.free.requestsPerMinute;

/** Prices of a million requests, counted by the test. */
export type CountedPrices = Readonly<
  Record<
    | "listing"
    | "search"
    | "change"
    | "bulk"
    | "visibility"
    | "expiry"
    | "sign"
    | "signingKey"
    | "duplicate"
    | "eventedChange"
    | "eventPage"
    | "webhook"
    | "webhookTest"
    | "deliveries"
    | "hotlink"
    | "key"
    | "creation"
    | "drop"
    | "piece"
    | "head"
    | "upload"
    | "token"
    | "tokenList"
    | "tokenCreation"
    | "tokenDrop"
    | "tokenPiece"
    | "tokenHead"
    | "tokenUpload"
    | "share"
    | "shareList"
    | "sharePage"
    | "sharePassword"
    | "view"
    | "variant"
    | "order"
    | "range"
    | "registration"
    | "forgotPassword"
    | "report"
    | "logIn"
    | "wrongPassword"
    | "passkeyLogIn"
    | "refusedPasskey"
    | "reauthentication"
    | "passwordChange"
    | "unknownKey",
    number
  >
>;

export function listAbuse(prices: CountedPrices): Abuse[] {
  const minute = (perMinute: number) => perMinute * MINUTES;
  const hour = (perHour: number) => perHour * DAYS * 24;
  const account = (request: string, dollarsPerMillion: number, requestsPerMonth: number, limit: string): Abuse => ({
    request,
    payer: "account",
    dollarsPerMillion,
    requestsPerMonth,
    limit,
  });
  const address = (request: string, dollarsPerMillion: number, requestsPerMonth: number, limit: string): Abuse => ({
    request,
    payer: "address",
    dollarsPerMillion,
    requestsPerMonth,
    limit,
  });
  const cpu = DOLLARS_PER_CPU_SECOND * 1_000_000;
  const changes = ALLOWANCE / CHANGE_MICRODOLLARS;
  const operations = TIERS.free.operationsPerMonth;
  const password = PASSWORD_SECONDS * cpu;
  const variant = prices.variant + VARIANT_SECONDS * cpu;
  // An order is also a request for a variant. Each of these two numbers is the price of a million and the millionths of a dollar of one.
  const order = (seconds: number) => prices.order + VARIANT_SECONDS * cpu + seconds * PROCESSOR_SECOND_MICRODOLLARS;
  const awake = AWAKE_SECONDS * AWAKE_SECOND_MICRODOLLARS;
  const orders = (seconds: number) =>
    ALLOWANCE / (2 * VARIANT_MICRODOLLARS + awake + seconds * PROCESSOR_SECOND_MICRODOLLARS);
  return [
    account("page of a listing", prices.listing, minute(PER_MINUTE), "requests a minute"),
    account("search", prices.search, minute(PER_MINUTE), "requests a minute"),
    account("change of an upload", prices.change, changes, "allowance for changes"),
    account("bulk change, each upload", prices.bulk, changes, "allowance for changes"),
    account("change of an upload, with its event", prices.eventedChange, changes, "allowance for changes"),
    account(
      "change of visibility, each file",
      prices.visibility,
      changes / CHANGES_OF_VISIBILITY,
      "allowance for changes",
    ),
    account("time of deletion, set", prices.expiry, changes, "allowance for changes"),
    account("signature of a private file", prices.sign, minute(PER_MINUTE), "requests a minute"),
    account("signing key, created", prices.signingKey, changes, "allowance for changes"),
    account("duplicate of up to 8 MB", prices.duplicate, minute(PER_MINUTE), "requests a minute"),
    account("page of events", prices.eventPage, minute(PER_MINUTE), "requests a minute"),
    account("webhook, set", prices.webhook, changes, "allowance for changes"),
    account("test of a webhook", prices.webhookTest, hour(10), "10 an hour"),
    account("list of a webhook's deliveries", prices.deliveries, minute(PER_MINUTE), "requests a minute"),
    account("change of hotlink rules", prices.hotlink, changes, "allowance for changes"),
    account("change of the upload key", prices.key, changes, "allowance for changes"),
    account("tus creation", prices.creation, changes, "allowance for changes"),
    account("tus `PATCH` of a byte", prices.drop, minute(60_000 / DROP_EVERY_MS), "one small piece in 1.1 seconds"),
    account("tus `PATCH` of 100 KB", prices.piece, ALLOWANCE / PIECE_MICRODOLLARS, "allowance for changes"),
    account("tus `HEAD`", prices.head, minute(PIECES_PER_MINUTE.free), "requests a minute to unfinished uploads"),
    account("upload", prices.upload, operations, "operations a month"),
    account("upload token, created", prices.token, changes, "allowance for changes"),
    account("list of 1,000 upload tokens", prices.tokenList, minute(PER_MINUTE), "requests a minute"),
    account("share, made or changed, with CPU time", prices.share + password, changes, "allowance for changes"),
    account("list of 100 shares", prices.shareList, minute(PER_MINUTE), "requests a minute"),
    account("page of a share", prices.sharePage, minute(SHARE_VISITS_PER_MINUTE.free), "visits of shares a minute"),
    account("tus creation by a visitor", prices.tokenCreation, changes, "allowance for visitors' changes"),
    account(
      "tus `PATCH` of a byte by a visitor",
      prices.tokenDrop,
      minute(60_000 / DROP_EVERY_MS),
      "one small piece in 1.1 seconds",
    ),
    account(
      "tus `PATCH` of 100 KB by a visitor",
      prices.tokenPiece,
      ALLOWANCE / PIECE_MICRODOLLARS,
      "allowance for visitors' changes",
    ),
    account(
      "tus `HEAD` by a visitor",
      prices.tokenHead,
      minute(PIECES_PER_MINUTE.free),
      "visitors' requests a minute to unfinished uploads",
    ),
    account("upload by a visitor", prices.tokenUpload, operations, "operations a month"),
    account(
      "video of 90 MB that wakes the media processor",
      VIDEO + awake + ORDER_SECONDS * PROCESSOR_SECOND_MICRODOLLARS,
      operations,
      "operations a month",
    ),
    account("compression of an upload, 100 MP", COMPRESSION_SECONDS * cpu, operations, "operations a month"),
    account("compression preview, a CPU second", cpu, PREVIEW_SECONDS_PER_DAY.free * DAYS, "CPU seconds a day"),
    account(
      "sign of life of a slow upload",
      DOLLARS_PER_MILLION.objectCalls + ROWS_PER_SIGN * DOLLARS_PER_MILLION.objectRowsWritten,
      minute(SIGNS_PER_MINUTE * MAX_UPLOADS_IN_PROGRESS.free),
      "files in progress at a time",
    ),
    account("reauthentication, with CPU time", prices.reauthentication + password, changes, "allowance for changes"),
    account(
      "password change, with a mail and CPU time",
      prices.passwordChange + 2 * password + MAIL,
      hour(perHour(PASSWORD_CHANGES)),
      "10 an hour",
    ),
    account("new variant, with CPU time", variant, ALLOWANCE / VARIANT_MICRODOLLARS, "allowance for variants"),
    account(
      "order that wakes the media processor",
      order(ORDER_SECONDS) + awake,
      orders(ORDER_SECONDS),
      "allowance for variants",
    ),
    account(
      `order of ${MAX_ORDER_SECONDS} seconds that wakes it`,
      order(MAX_ORDER_SECONDS) + awake,
      orders(MAX_ORDER_SECONDS),
      "allowance for variants",
    ),
    account("mail about a new device", MAIL, hour(perHour(NEW_DEVICE_MAILS)), "20 a day"),
    address("log-in, with CPU time", prices.logIn + password, hour(perHour(TRIES_PER_ADDRESS)), "200 in 15 minutes"),
    address(
      "wrong password, with CPU time",
      prices.wrongPassword + password,
      hour(perHour(TRIES_PER_ADDRESS)),
      "200 in 15 minutes",
    ),
    address(
      "password of a share, with CPU time",
      prices.sharePassword + password,
      hour(perHour(TRIES_PER_ADDRESS)),
      "200 in 15 minutes",
    ),
    address(
      "log-in by passkey, with options and CPU time",
      prices.passkeyLogIn + PASSKEY_SECONDS * cpu,
      hour(perHour(PASSKEYS_PER_ADDRESS)),
      "100 in 15 minutes",
    ),
    address(
      "passkey that is refused, with CPU time",
      prices.refusedPasskey + PASSKEY_SECONDS * cpu,
      hour(perHour(PASSKEYS_PER_ADDRESS)),
      "100 in 15 minutes",
    ),
    address("view, also of a stored variant", prices.view, minute(VIEWS_PER_MINUTE), "`VIEWS_BY_ADDRESS`"),
    address("new variant, with CPU time", variant, minute(VARIANTS_PER_MINUTE), "`VARIANTS_BY_ADDRESS`"),
    address(
      "order to the media processor, awake",
      order(ORDER_SECONDS),
      minute(ORDERS_PER_MINUTE),
      "`ORDERS_BY_ADDRESS`",
    ),
    address("range, `HEAD` or signed URL of a file", prices.range, minute(RANGES_PER_MINUTE), "`RANGES_BY_ADDRESS`"),
    address(
      "registration, with a mail",
      prices.registration + MAIL,
      hour(REGISTRATIONS_PER_HOUR),
      "registrations an hour",
    ),
    address("forgotten password, with a mail", prices.forgotPassword + MAIL, hour(FORGOTTEN_PER_HOUR), "20 an hour"),
    address("report of a file", prices.report, hour(REPORTS_PER_HOUR), "10 an hour"),
    address("request with an unknown key", prices.unknownKey, minute(LOOKUPS_PER_MINUTE), "`KEY_LOOKUPS`"),
    address(
      "request that is refused (401, 404, 429)",
      DOLLARS_PER_MILLION.workerRequests,
      ZONE_REQUESTS_PER_SECOND * 60 * MINUTES,
      "rate limiting rule of the zone",
    ),
  ];
}

export function dollarsPerMonth({ dollarsPerMillion, requestsPerMonth }: Abuse): number {
  return (dollarsPerMillion * requestsPerMonth) / 1_000_000;
}

/** The table of docs/operating/costs.md. */
export function abuseTable(all: readonly Abuse[]): string {
  return toTable(
    ["request", "payer", "$ a million", "$ a month at most", "limit that ensures it"],
    all.map((abuse) => [
      abuse.request,
      abuse.payer,
      abuse.dollarsPerMillion.toFixed(1),
      dollarsPerMonth(abuse).toFixed(2),
      abuse.limit,
    ]),
  );
}
