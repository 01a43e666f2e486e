/** The service's endpoints of backup and restore (docs/operating/backup.md). */

export type Row = readonly (string | null)[];

export interface DatabaseTables {
  readonly database: string;
  readonly migrations: readonly string[];
  readonly tables: readonly string[];
}

export interface Page {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly pagination: { readonly nextCursor: string | null };
}

export interface StoredFile {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly httpMetadata: Readonly<Record<string, string>>;
  readonly customMetadata: Readonly<Record<string, string>>;
}

export class ServiceRefusal extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const MAX_ATTEMPTS = 8;
const TIMEOUT_MS = 120_000;

interface Call {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
}

/** Calls the service with the operator's token. Every call may be repeated, and is repeated after 429, 5xx and lost connections. */
export class Service {
  readonly #baseUrl: string;
  readonly #token: string;

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  /** @throws ServiceRefusal with the service's own words */
  async json<T>(method: string, path: string, call: Call = {}): Promise<T> {
    return (await (await this.#send(method, path, call)).json()) as T;
  }

  async bytes(path: string, call: Call): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#send("GET", path, call)).arrayBuffer());
  }

  async #send(method: string, path: string, { query = {}, json, bytes }: Call, attempt = 1): Promise<Response> {
    const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
    const search =
      given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
    const body = json === undefined ? bytes : JSON.stringify(json);
    let delayMs = 250 * 2 ** attempt;
    try {
      const response = await fetch(`${this.#baseUrl}${path}${search}`, {
        method,
        headers: {
          Authorization: `Bearer ${this.#token}`,
          ...(body === undefined
            ? {}
            : { "Content-Type": json === undefined ? "application/octet-stream" : "application/json" }),
        },
        ...(body === undefined ? {} : { body: body as string | Uint8Array<ArrayBuffer> }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.ok) return response;
      const mayPass = response.status === 429 || response.status >= 500;
      const { error = "", details } = (await response.json().catch(() => ({}))) as { error?: string; details?: object };
      if (!mayPass || attempt === MAX_ATTEMPTS) {
        const more = details === undefined ? "" : ` ${JSON.stringify(details)}`;
        throw new ServiceRefusal(`${response.status} ${error}${more}`, response.status);
      }
      delayMs = Math.max(delayMs, Number(response.headers.get("Retry-After") ?? 0) * 1000);
    } catch (error) {
      if (error instanceof ServiceRefusal || attempt === MAX_ATTEMPTS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return this.#send(method, path, { query, json, ...(bytes === undefined ? {} : { bytes }) }, attempt + 1);
  }
}
