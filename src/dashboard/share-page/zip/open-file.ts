import { pause } from "./pause.ts";

/** A file's bytes; undefined if there is no such file any more. */
export interface OpenedFile {
  readonly body: ReadableStream<Uint8Array>;
  readonly lastModified: Date;
}

const TRIES = 4;
const GONE = [404, 410, 451];

interface Reading {
  readonly signal: AbortSignal;
  /** A new link in place of an ended link; undefined if the file is gone. */
  renew(): Promise<string | undefined>;
}

/**
 * Opens a file for a zip, as a view. A busy service and a lost connection are tried again.
 * @throws Error if the service does not answer, or refuses the file
 */
export async function openFile(url: string, reading: Reading): Promise<OpenedFile | undefined> {
  let link = url;
  for (let tries = 1; ; tries += 1) {
    const answer = await request(link, reading.signal);
    if (answer?.ok === true && answer.body !== null) {
      const lastModified = new Date(answer.headers.get("Last-Modified") ?? Date.now());
      return { body: readOn(link, answer, answer.body, reading.signal), lastModified };
    }
    await answer?.body?.cancel();
    if (answer !== undefined && GONE.includes(answer.status)) return undefined;
    if (tries === TRIES) throw new Error(answer === undefined ? "The connection was lost" : `HTTP ${answer.status}`);
    if (answer?.status === 403) {
      const renewed = await reading.renew();
      if (renewed === undefined) return undefined;
      if (renewed === link) throw new Error("The owner does not allow this page to read a file");
      link = renewed;
    } else await pause(answer?.status === 429 ? waitOf(answer) : 500 * 2 ** tries, reading.signal);
  }
}

function waitOf({ headers }: Response): number {
  return (Number(headers.get("Retry-After")) || 60) * 1000;
}

/** @returns undefined if there was no answer */
async function request(url: string, signal: AbortSignal, headers: HeadersInit = {}): Promise<Response | undefined> {
  return fetch(url, { credentials: "omit", signal, headers }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined;
  });
}

/** The answer's bytes. If the connection is lost in the middle, the rest is fetched as a range, which does not count as a view. */
function readOn(
  url: string,
  answer: Response,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const etag = answer.headers.get("ETag");
  let reader = body.getReader();
  let [offset, tries] = [0, 0];
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        try {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          offset += value.byteLength;
          tries = 0;
          return controller.enqueue(value);
        } catch (error) {
          tries += 1;
          if (signal.aborted || etag === null || tries === TRIES) throw error;
          await pause(500 * 2 ** tries, signal);
          const rest = await request(url, signal, { Range: `bytes=${offset}-`, "If-Range": etag });
          if (rest?.status === 206 && rest.body !== null) reader = rest.body.getReader();
          else if (rest !== undefined) throw error;
        }
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
