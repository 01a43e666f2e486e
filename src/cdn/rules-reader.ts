import {
  type FileRules,
  fileRulesKey,
  isIndexed,
  RULES_INDEX_KEY,
  type StoredFileRules,
} from "../domain/file-rules.ts";
import { toLogLine } from "../domain/log-line.ts";

/** Rules that are older than this are read again. */
const KEEP_MS = 45_000;
/** Rules that are older than this are not used. So a change takes effect within a minute, even if two clocks differ. */
const MAX_AGE_MS = 55_000;
/** While a request reads rules again, other requests use the stored rules. */
const REFRESH_MS = 3000;
/** The accounts whose rules an isolate stores, a few KB each at most. */
const MAX_ACCOUNTS = 500;

const READ_AT = "X-Read-At";
const CACHE_PATH = "/.rules/";

interface Kept<T> {
  readonly value: T;
  /** The time at which R2 was read. */
  readonly readAt: number;
  refreshingAt: number;
}

/** The platform's cache of a data centre. Its calls are free; on `workers.dev` it keeps nothing. */
export type SharedCache = Pick<Cache, "match" | "put">;

export interface RulesSources {
  readonly files: Pick<R2Bucket, "get">;
  readonly cache: SharedCache;
  now(): number;
}

const NO_RULES: FileRules = {};

/**
 * The rules of accounts as an isolate knows them: at most 55 seconds old. The isolates of a data centre share their copies in the
 * platform's cache, so R2 is asked about once a minute for the index, and once a minute for each viewed account with rules.
 */
export class RulesReader {
  readonly #sources: RulesSources;
  #index: Kept<Uint8Array> | undefined;
  readonly #accounts = new Map<string, Kept<FileRules>>();

  constructor(sources: RulesSources) {
    this.#sources = sources;
  }

  /**
   * @param url the request's: the shared cache is the zone's
   * @returns at once if the isolate knows the rules
   */
  rulesOf(accountId: string, url: string): FileRules | Promise<FileRules> {
    const index = this.#usable(this.#index);
    if (index === undefined) return this.#readBoth(accountId, url);
    if (!isIndexed(index, accountId)) return NO_RULES;
    return this.#usable(this.#accounts.get(accountId)) ?? this.#readAccount(accountId, url);
  }

  async #readBoth(accountId: string, url: string): Promise<FileRules> {
    this.#index = await this.#read(RULES_INDEX_KEY, url, this.#index, (bytes) => bytes);
    return isIndexed(this.#index.value, accountId) ? this.#readAccount(accountId, url) : NO_RULES;
  }

  async #readAccount(accountId: string, url: string): Promise<FileRules> {
    const kept = await this.#read(fileRulesKey(accountId), url, this.#accounts.get(accountId), toRules);
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, kept);
    if (this.#accounts.size > MAX_ACCOUNTS) this.#accounts.delete(this.#accounts.keys().next().value ?? accountId);
    return kept.value;
  }

  /** The kept value; undefined if this request is to read it again. */
  #usable<T>(kept: Kept<T> | undefined): T | undefined {
    if (kept === undefined) return undefined;
    const now = this.#sources.now();
    const ageMs = now - kept.readAt;
    // A clock that was set back does not prolong the time.
    if (ageMs < 0 || ageMs >= MAX_AGE_MS) return undefined;
    if (ageMs < KEEP_MS) return kept.value;
    const isRefreshing = now - kept.refreshingAt < REFRESH_MS;
    if (!isRefreshing) kept.refreshingAt = now;
    return isRefreshing ? kept.value : undefined;
  }

  /** If R2 fails, the isolate uses an older copy: without R2 it could hardly read the file either. */
  async #read<T>(
    key: string,
    requestUrl: string,
    older: Kept<T> | undefined,
    toValue: (bytes: Uint8Array) => T,
  ): Promise<Kept<T>> {
    const { now } = this.#sources;
    const url = new URL(CACHE_PATH + key, requestUrl).href;
    const shared = await this.#readShared(url);
    if (shared !== undefined) return { value: toValue(shared.bytes), readAt: shared.readAt, refreshingAt: 0 };
    const readAt = now();
    try {
      const object = await this.#sources.files.get(key);
      const bytes = object === null ? new Uint8Array(0) : new Uint8Array(await object.arrayBuffer());
      await this.#share(url, bytes, readAt);
      return { value: toValue(bytes), readAt, refreshingAt: 0 };
    } catch (error) {
      console.error(toLogLine("rules.not-read", {}, error));
      if (older === undefined) throw error;
      return older;
    }
  }

  async #readShared(url: string): Promise<{ bytes: Uint8Array; readAt: number } | undefined> {
    try {
      const response = await this.#sources.cache.match(url);
      if (response === undefined) return undefined;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const readAt = Number(response.headers.get(READ_AT));
      const ageMs = this.#sources.now() - readAt;
      return ageMs >= 0 && ageMs < KEEP_MS ? { bytes, readAt } : undefined;
    } catch {
      return undefined;
    }
  }

  async #share(url: string, bytes: Uint8Array, readAt: number): Promise<void> {
    const headers = { "Cache-Control": `max-age=${KEEP_MS / 1000}`, [READ_AT]: String(readAt) };
    await this.#sources.cache.put(url, new Response(bytes, { headers })).catch(() => {});
  }
}

function toRules(bytes: Uint8Array): FileRules {
  return bytes.length === 0 ? NO_RULES : (JSON.parse(new TextDecoder().decode(bytes)) as StoredFileRules);
}
