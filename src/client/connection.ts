import { MediaHostError, toError } from "./media-host-error.ts";
import { Retries } from "./retry.ts";
import type { sendByXhr } from "./send-by-xhr.ts";

export interface ClientOptions {
  /** Where the service is: `https://media.example`. In a page of its own origin, the empty string. */
  readonly baseUrl: string;
  /** A key, a session's token or the operator's, or what gives it when it is needed. Without it, the page's cookie counts. */
  readonly key?: string | (() => string | Promise<string>);
  /** Another way to send requests, such as a Worker's service binding. */
  readonly fetch?: typeof fetch;
  /** How often in a row a call is tried again; 6 where it is not given. With 0 nothing is waited for, a network that is away neither. */
  readonly retries?: number;
  /** Told of every answer, also of errors: its headers say what is left of the account's limits. Its body is not to be read. */
  readonly onAnswer?: (answer: Response) => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A request, before it has the client's address and credential. */
export interface Sending {
  readonly method: string;
  /** Below the base URL, or an address of its own. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob | FormData | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of the bytes of the body that were sent, where the runtime tells. */
  readonly onSent?: ((sentBytes: number) => void) | undefined;
}

interface JsonOptions extends CallOptions {
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** False where a second call would do a second thing: it is tried again only where the first one was refused. */
  readonly repeatable?: boolean;
}

const RETRIES = 6;
/** A folder's deletion may take 25 seconds. */
const ANSWER_WITHIN_MS = 60_000;

/** Sends requests to one service, as one caller. */
export class Connection {
  readonly #options: ClientOptions;
  readonly #sendByXhr: typeof sendByXhr | undefined;

  /** @param byXhr the browser's way of sending that tells how far it is; without it, nothing tells */
  constructor(options: ClientOptions, byXhr?: typeof sendByXhr) {
    this.#options = options;
    this.#sendByXhr = byXhr;
  }

  get baseUrl(): string {
    return this.#options.baseUrl.replace(/\/+$/, "");
  }

  /** @param isPatient whether a network that is away is waited for: uploads go on when it is back, other calls fail */
  retries(signal: AbortSignal | undefined, isPatient = true): Retries {
    return new Retries(this.#options.retries ?? RETRIES, signal, isPatient);
  }

  /** Whether requests can be sent by the browser's way that tells how far they are. */
  get tellsProgress(): boolean {
    return this.#sendByXhr !== undefined && this.#options.fetch === undefined && "XMLHttpRequest" in globalThis;
  }

  /**
   * Sends one request, once.
   * @throws MediaHostError for every status but 2xx, and with status 0 where no answer came; the signal's reason; a DOMException
   * `NotReadableError` where the body is a file that changed since it was opened, which no other try would mend
   */
  async send({ method, path, headers, body, signal, onSent }: Sending): Promise<Response> {
    const { key, fetch = globalThis.fetch } = this.#options;
    const token = typeof key === "function" ? await key() : key;
    const url = /^https?:/.test(path) ? path : this.baseUrl + path;
    const all = { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
    let answer: Response;
    try {
      answer =
        onSent !== undefined && this.#sendByXhr !== undefined && this.tellsProgress
          ? await this.#sendByXhr(url, { method, headers: all, body, signal, onSent })
          : await fetch(url, { method, headers: all, body: body ?? null, signal: signal ?? null });
    } catch (cause) {
      signal?.throwIfAborted();
      throw findUnreadable(cause) ?? noAnswer(cause);
    }
    this.#options.onAnswer?.(answer);
    if (answer.ok) return answer;
    throw await toError(answer);
  }

  /**
   * Calls an endpoint that speaks JSON, again where that may help.
   * @throws MediaHostError; the signal's reason
   */
  async call<Answer>(method: string, path: string, options: JsonOptions = {}): Promise<Answer> {
    const { query, body, repeatable = method !== "POST", signal } = options;
    const retries = this.retries(signal, false);
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
        const error = thrown instanceof MediaHostError ? thrown : noAnswer(thrown);
        // What an earlier try has deleted, whose answer was lost, is gone, as was asked for.
        if (method === "DELETE" && wasLost && error.statusCode === 404) return undefined as Answer;
        if (!repeatable && error.statusCode !== 429) throw error;
        wasLost ||= error.statusCode === 0 || error.statusCode >= 500;
        await retries.after(error);
      }
    }
  }
}

/** @throws MediaHostError of status 0 where the answer broke off */
export async function readJson<Answer>(answer: Response): Promise<Answer> {
  if (answer.status === 204) return undefined as Answer;
  try {
    return (await answer.json()) as Answer;
  } catch (cause) {
    throw noAnswer(cause);
  }
}

/** @returns the error of a request of which no answer came, or not all of it */
export function noAnswer(cause: unknown): MediaHostError {
  return new MediaHostError(cause instanceof Error ? cause.message : String(cause), { statusCode: 0, cause });
}

/** Node's `fetch` says it as the cause of its own error. */
function findUnreadable(thrown: unknown): Error | undefined {
  const causes = thrown instanceof Error ? [thrown, thrown.cause] : [];
  return causes.find((cause): cause is Error => cause instanceof Error && cause.name === "NotReadableError");
}

/** Lists are comma-separated; what is undefined is left out. */
function toSearch(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
