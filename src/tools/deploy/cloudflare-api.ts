import { DeployError } from "./deploy-error.ts";
import { PERMISSIONS, type Permission, TOKEN_PAGE } from "./permissions.ts";

const DEFAULT_BASE_URL = "https://api.cloudflare.com/client/v4";
const TIMEOUT_MS = 30_000;
const MAX_ATTEMPTS = 4;
const FIRST_RETRY_MS = 500;
/** The longest wait for a 429 of the API's own limit (1,200 requests in five minutes). */
const MAX_RETRY_AFTER_SECONDS = 60;
/** The largest page of every list: accounts and zones refuse larger ones. */
const PAGE_SIZE = 50;
/** "Not found", of buckets, Workers and workers.dev. */
const MISSING_CODES: ReadonlySet<number> = new Set([10006, 10007, 10090]);
/** "Authentication error", "Invalid access token", "Unauthorized to access requested resource", and their like. */
const UNAUTHORISED_CODES: ReadonlySet<number> = new Set([6003, 6111, 9106, 9109, 10000, 10001]);

interface Answer<T> {
  readonly success: boolean;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  readonly result: T;
  readonly result_info?: {
    readonly page?: number;
    readonly total_pages?: number;
    readonly total_count?: number;
    readonly cursor?: string;
  };
}

export interface CloudflareRequest {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly body?: unknown;
  readonly query?: Record<string, string>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The permission that the call needs; errors name it. */
  readonly permission: Permission;
}

/** An error of the API: it refused a call, could not be reached, or failed. */
export class CloudflareError extends DeployError {
  readonly status: number;
  readonly codes: readonly number[];

  constructor(message: string, status: number, codes: readonly number[]) {
    super(message);
    this.status = status;
    this.codes = codes;
  }

  /** Whether the API could not be reached, or failed. */
  get mayPass(): boolean {
    return this.status === 0 || this.status >= 500;
  }

  /** The token is wrong, has expired, or lacks the permission. */
  get isUnauthorised(): boolean {
    return this.status === 401 || this.status === 403 || this.codes.some((code) => UNAUTHORISED_CODES.has(code));
  }

  /** Whether the resource does not exist. */
  get isMissing(): boolean {
    return this.status === 404 || this.codes.some((code) => MISSING_CODES.has(code));
  }
}

/**
 * Cloudflare's REST API (https://developers.cloudflare.com/api), which lists and creates resources. wrangler uploads the Workers. Both use
 * CLOUDFLARE_API_BASE_URL if it is set. Transient failures are retried. A call that creates a resource is repeated only after a 429,
 * because a lost answer may have been a success.
 */
export class CloudflareApi {
  readonly #baseUrl: string;
  readonly #token: string;

  constructor(token: string, baseUrl: string = process.env.CLOUDFLARE_API_BASE_URL ?? DEFAULT_BASE_URL) {
    this.#baseUrl = baseUrl.replace(/\/$/, "");
    this.#token = token;
  }

  /** @throws CloudflareError if the API refuses or does not answer */
  async call<T>(path: string, request: CloudflareRequest): Promise<T> {
    return (await this.#answer<T>(path, request)).result;
  }

  /** Like `call`; undefined for a 404. */
  async find<T>(path: string, request: CloudflareRequest): Promise<T | undefined> {
    try {
      return await this.call<T>(path, request);
    } catch (error) {
      if (error instanceof CloudflareError && error.isMissing) return undefined;
      throw error;
    }
  }

  /** All pages of a list that is paged by number. */
  async list<T>(path: string, request: CloudflareRequest): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; ; page += 1) {
      const query = { ...request.query, page: String(page), per_page: String(PAGE_SIZE) };
      const { result, result_info: info } = await this.#answer<T[]>(path, { ...request, query });
      found.push(...result);
      const { total_pages: pages, total_count: total } = info ?? {};
      const isMore = pages !== undefined ? page < pages : total !== undefined ? found.length < total : isFull(result);
      if (!isMore || result.length === 0) return found;
    }
  }

  async #answer<T>(path: string, request: CloudflareRequest, attempt = 1): Promise<Answer<T>> {
    const { method = "GET", body, query = {}, headers = {} } = request;
    const url = `${this.#baseUrl}${path}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ""}`;
    const isRead = method === "GET";
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        headers: { ...headers, Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      if (isRead && attempt < MAX_ATTEMPTS) return this.#later<T>(path, request, attempt);
      throw new CloudflareError(`${method} ${path}: the Cloudflare API cannot be reached (${reasonOf(error)})`, 0, []);
    }
    const answer = (await response.json().catch(() => undefined)) as Answer<T> | undefined;
    if (response.ok && answer?.success === true) return answer;
    const mayPass = response.status === 429 || (isRead && (response.status >= 500 || answer === undefined));
    if (mayPass && attempt < MAX_ATTEMPTS) {
      return this.#later<T>(path, request, attempt, Number(response.headers.get("Retry-After")));
    }
    throw refusal(`${method} ${path}`, request.permission, response.status, answer?.errors ?? []);
  }

  async #later<T>(path: string, request: CloudflareRequest, attempt: number, retryAfterSeconds = 0) {
    const backoffMs = FIRST_RETRY_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
    const askedMs = retryAfterSeconds > 0 ? Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS) * 1000 : 0;
    await new Promise((resolve) => setTimeout(resolve, Math.max(backoffMs, askedMs)));
    return this.#answer<T>(path, request, attempt + 1);
  }
}

function isFull(page: readonly unknown[]): boolean {
  return page.length >= PAGE_SIZE;
}

function refusal(
  what: string,
  permission: Permission,
  status: number,
  errors: Answer<unknown>["errors"],
): CloudflareError {
  const codes = errors.map(({ code }) => code);
  const said = errors.map(({ code, message }) => `${message} [code: ${code}]`).join("; ") || `status ${status}`;
  const error = new CloudflareError(`${what}: ${said}`, status, codes);
  if (error.isUnauthorised) {
    error.message += `\nThe token is wrong, has expired, or lacks the permission "${PERMISSIONS[permission]}": ${TOKEN_PAGE}`;
  }
  return error;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
