/** The used part of XMLHttpRequest; other runtimes have no types for it. */
interface Xhr {
  readonly status: number;
  readonly response: ArrayBuffer | null;
  responseType: "arraybuffer";
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: unknown): void;
  abort(): void;
}

interface XhrRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Blob | FormData | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onSent: (sentBytes: number) => void;
}

/** The service disconnects a silent client after this time. */
const SILENT_MS = 90_000;

/**
 * Sends a request with XMLHttpRequest, because `fetch` does not report upload progress. It aborts a connection that is silent for too long.
 */
export function sendByXhr(url: string, { method, headers, body, signal, onSent }: XhrRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new (globalThis as unknown as { XMLHttpRequest: new () => Xhr }).XMLHttpRequest();
    const abort = () => xhr.abort();
    let silence: ReturnType<typeof setTimeout>;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(abort, SILENT_MS);
    };
    const end = (settle: () => void) => () => {
      clearTimeout(silence);
      signal?.removeEventListener("abort", abort);
      settle();
    };
    const fail = (reason: string) => end(() => reject(signal?.aborted ? signal.reason : new Error(reason)));
    xhr.upload.onprogress = ({ loaded }) => {
      listen();
      onSent(loaded);
    };
    xhr.onload = end(() => resolve(toResponse(xhr)));
    xhr.onerror = fail("Network error");
    xhr.onabort = fail("No answer in time");
    xhr.open(method, url);
    xhr.responseType = "arraybuffer";
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) return fail("")();
    listen();
    xhr.send(body ?? null);
  });
}

function toResponse(xhr: Xhr): Response {
  const headers = new Headers();
  // `append` trims the values.
  for (const [, name = "", value = ""] of xhr.getAllResponseHeaders().matchAll(/^(\S+?):(.*)/gm))
    headers.append(name, value);
  return new Response(xhr.status === 204 ? null : xhr.response, { status: xhr.status, headers });
}
