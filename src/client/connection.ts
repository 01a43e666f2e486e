import { MediaHostError, toError } from "./media-host-error.ts";
import { Retries } from "./retry.ts";
import type { sendByXhr } from "./send-by-xhr.ts";

export interface ClientOptions {
  /** The service's address, such as `https://media.example`; empty in a page of the same origin. */
  readonly baseUrl: string;
  /** A key, a session's token, the operator's token, or a function that returns one of them. Without it, the page's cookie is used. */
  readonly key?: string | (() => string | Promise<string>);
  /** An upload token, in place of a key. Such a client only uploads. */
  readonly token?: string | (() => string | Promise<string>);
  /** Replaces `fetch`, for example by a Worker's service binding. */
  readonly fetch?: typeof fetch;
  /** The most consecutive retries of a call; 6 by default. With 0, a call does not wait for a lost network either. */
  readonly retries?: number;
  /** Receives every answer, errors included, to read its usage headers. It must not read the body. */
  readonly onAnswer?: (answer: Response) => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A request before the client adds its address and credential. */
export interface Sending {
  readonly method: string;
  /** A path below the base URL, or a whole address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob | FormData | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of sent bytes, if the runtime reports it. */
  readonly onSent?: ((sentBytes: number) => void) | undefined;
}

interface JsonOptions extends CallOptions {
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** False if a second call would have a second effect. Such a call is repeated only if the service refused the first. */
  readonly repeatable?: boolean | undefined;
  /** A 404 after a lost answer means that an earlier try removed the thing; true for DELETE by default. */
  readonly removes?: boolean | undefined;
  /** The call ends its own credential: a 401 after a lost answer means that an earlier try was carried out. */
  readonly endsCredential?: boolean | undefined;
}

const RETRIES = 6;
/** The deletion of a folder may take 25 seconds. */
const ANSWER_WITHIN_MS = 60_000;

/** Sends requests to one service with one credential. */
export class Connection {
  readonly #options: ClientOptions;
  readonly #sendByXhr: typeof sendByXhr | undefined;

  /** @param byXhr sends with progress in browsers */
  constructor(options: ClientOptions, byXhr?: typeof sendByXhr) {
    this.#options = options;
    this.#sendByXhr = byXhr;
  }

  get baseUrl(): string {
    return this.#options.baseUrl.replace(/\/+$/, "");
  }

  /** @param isPatient whether the call waits for a lost network: uploads and changes resume when it is back, reads fail */
  retries(signal: AbortSignal | undefined, isPatient = true): Retries {
    return new Retries(this.#options.retries ?? RETRIES, signal, isPatient);
  }

  /** Whether requests report their progress. */
  get tellsProgress(): boolean {
    return this.#sendByXhr !== undefined && this.#options.fetch === undefined && "XMLHttpRequest" in globalThis;
  }

  /**
   * Sends one request, without retries.
   * @throws MediaHostError for every status but 2xx, and with status 0 if there is no answer; the signal's reason; a DOMException
   * `NotReadableError` if the body is a file that changed since it was opened
   */
  async send({ method, path, headers, body, signal, onSent }: Sending): Promise<Response> {
    const { token: given = this.#options.key, fetch = globalThis.fetch } = this.#options;
    const token = typeof given === "function" ? await given() : given;
    // The error of `fetch` for such a header would contain the key.
    if (token !== undefined && /[^\x21-\x7e]/.test(token.trim())) {
      throw new MediaHostError("The key is not printable", { statusCode: 401 });
    }
    const url = /^https?:/.test(path) ? path : this.baseUrl + path;
    const all = { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
    let answer: Response;
    try {
      answer =
        onSent && this.#sendByXhr && this.tellsProgress
          ? await this.#sendByXhr(url, { method, headers: all, body, signal, onSent })
          : await fetch(url, { method, headers: all, body: body ?? null, signal: signal ?? null });
    } catch (cause) {
      signal?.throwIfAborted();
      throw findUnreadable(cause) ?? noAnswer(cause, url);
    }
    this.#options.onAnswer?.(answer);
    if (answer.ok) return answer;
    throw await toError(answer);
  }

  /**
   * Calls a JSON endpoint with retries.
   * @throws MediaHostError; the signal's reason
   */
  async call<Answer>(method: string, path: string, options: JsonOptions = {}): Promise<Answer> {
    const {
      query,
      body,
      repeatable = method !== "POST",
      removes = method === "DELETE",
      endsCredential,
      signal,
    } = options;
    const retries = this.retries(signal, method !== "GET");
    let wasLost = false;
    for (;;) {
      try {
        const within = AbortSignal.timeout(ANSWER_WITHIN_MS);
        const answer = await this.send({
          method,
          path: path + toSearch(query),
          headers: body === undefined ? {} : { "Content-Type": "application/json" },
          body: body === undefined ? undefined : JSON.stringify(body),
          signal: signal === undefined ? within : AbortSignal.any([signal, within]),
        });
        return await readJson<Answer>(answer);
      } catch (thrown) {
        signal?.throwIfAborted();
        const error = thrown instanceof MediaHostError ? thrown : noAnswer(thrown, this.baseUrl + path);
        // An earlier try removed the thing, and its answer was lost.
        if (removes && wasLost && (error.statusCode === 404 || (endsCredential && error.statusCode === 401)))
          return undefined as Answer;
        if (!repeatable && error.statusCode !== 429) throw error;
        wasLost ||= error.statusCode === 0 || error.statusCode >= 500;
        await retries.after(error);
      }
    }
  }
}

/** @throws MediaHostError with status 0 if the answer breaks off */
export async function readJson<Answer>(answer: Response): Promise<Answer> {
  if (answer.status === 204) return undefined as Answer;
  try {
    return (await answer.json()) as Answer;
  } catch (cause) {
    throw noAnswer(cause, answer.url);
  }
}

/** @returns the error of a request without a complete answer */
export function noAnswer(cause: unknown, url: string): MediaHostError {
  // Node's `fetch` puts the reason into its error's cause. The cause has only a code if several addresses were tried.
  const reason = ((cause as Error).cause ?? cause) as { readonly message?: string; readonly code?: string };
  const failure =
    cause instanceof SyntaxError ? "gave no JSON" : `could not be reached: ${reason.message || reason.code}`;
  return new MediaHostError(`${url.replace(/\?.*/, "")} ${failure}`, { statusCode: 0, cause });
}

/** Node's `fetch` puts the error into the cause of its own error. */
function findUnreadable(thrown: unknown): Error | undefined {
  const causes = thrown instanceof Error ? [thrown, thrown.cause] : [];
  return causes.find((cause): cause is Error => cause instanceof Error && cause.name === "NotReadableError");
}

/** Joins lists by commas and leaves undefined values out. */
function toSearch(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, value);
  return String(search) && `?${search}`;
}
