import type { TierName } from "./tiers.ts";

/**
 * Rules for the files of one account. The account's object writes them to R2 (`meter/account/change-file-rules.ts`), and the CDN Worker
 * reads them (`cdn/rules-reader.ts`). An account without such an object has no rules.
 */
export interface FileRules {
  /** No file of the account is served. */
  readonly suspended?: true;
  /** The account's tier; absent: Free. New variants are limited by it. */
  readonly tier?: PaidTier;
  /** Pages that may show the files; absent: any page may. */
  readonly hotlink?: HotlinkRule;
  /** The variants that strangers may request; absent: all. */
  readonly variants?: RestrictedVariants;
  /** The parameters of each preset, as a query, by its name. */
  readonly presets?: Readonly<Record<string, string>>;
  /** The name of each signing key that is valid, by its id. Its secret is derived (`variants/signed-url.ts`). */
  readonly signingKeys?: Readonly<Record<string, string>>;
}

export type PaidTier = Exclude<TierName, "free">;

/** The variants that are served: all, the owner's presets and signed URLs, only signed URLs, or none. */
export const VARIANT_MODES = ["open", "presets", "signed", "off"] as const;
export type VariantMode = (typeof VARIANT_MODES)[number];
export type RestrictedVariants = Exclude<VariantMode, "open">;

export interface HotlinkRule {
  /** Lower-case hosts: `example.com` is only that host, `*.example.com` is each host below it. */
  readonly allowedHosts: readonly string[];
  /** Whether a request without a `Referer` is served, such as an opened link or a request from a page that sends none. */
  readonly allowEmptyReferer: boolean;
  /** The host of the dashboard. */
  readonly serviceHost?: string;
}

/** A stored object of rules. */
export interface StoredFileRules extends FileRules {
  /** Of two writes, the later one has the higher number. */
  readonly changedAt: number;
}

/** The owner's rule may name at most this many hosts. */
export const MAX_HOTLINK_HOSTS = 50;

export const MAX_PRESETS = 50;
export const MAX_SIGNING_KEYS = 10;
export const PRESET_NAME = /^[a-z0-9-]{1,40}$/;
/** The longest query of a preset, so that an account's rules stay a few KB. */
export const MAX_PRESET_LENGTH = 300;

const PREFIX = "rules/";

/** A bitmap of the accounts that have rules. With it, a view of another account reads no rules. */
export const RULES_INDEX_KEY = `${PREFIX}index`;
/** A bit is never cleared. If accounts share a bit, views of an account without rules read one object that has nothing for it. */
const RULES_INDEX_BYTES = 32 * 1024;

export function fileRulesKey(accountId: string): string {
  return `${PREFIX}accounts/${accountId}`;
}

/** Whether the account may have rules, according to the index. An empty index has none. */
export function isIndexed(index: Uint8Array, accountId: string): boolean {
  const bit = bitOf(accountId);
  return (((index[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
}

/** A copy of the index with the account's bit. */
export function addToIndex(index: Uint8Array, accountId: string): Uint8Array<ArrayBuffer> {
  const bit = bitOf(accountId);
  const copy = new Uint8Array(RULES_INDEX_BYTES);
  copy.set(index.subarray(0, RULES_INDEX_BYTES));
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) | (1 << (bit & 7));
  return copy;
}

/** Whether a page may show the account's files. @param requestHost the files' own host: a file that is opened by its URL is its own page */
export function allowsReferer(rule: HotlinkRule, referer: string | null, requestHost: string): boolean {
  if (referer === null || referer === "") return rule.allowEmptyReferer;
  const host = hostOf(referer);
  if (host === undefined) return false;
  if (host === requestHost || host === rule.serviceHost) return true;
  return rule.allowedHosts.some((allowed) =>
    allowed.startsWith("*.") ? host.endsWith(allowed.slice(1)) : host === allowed,
  );
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** FNV-1a (32 bits). */
function bitOf(accountId: string): number {
  let hash = 0x811c9dc5;
  for (let position = 0; position < accountId.length; position++) {
    hash = Math.imul(hash ^ accountId.charCodeAt(position), 0x01000193);
  }
  return (hash >>> 0) % (RULES_INDEX_BYTES * 8);
}
