import { bytesOf } from "../media/samples.ts";

/** The media processor's side of `POST /thumbnail`, as a test wants it. */

export interface ThumbnailTask {
  readonly source: URL;
  readonly type: string;
  readonly width: number;
  readonly quality: number;
}

export type Processor = (task: ThumbnailTask) => Response | Promise<Response>;

export const JPEG_BYTES = 1234;

/** Bytes that begin and end like a JPEG. */
export function thumbnailJpeg(sizeBytes = JPEG_BYTES): Uint8Array<ArrayBuffer> {
  return bytesOf([0xff, 0xd8, 0xff, 0xe0], new Uint8Array(sizeBytes - 6), [0xff, 0xd9]);
}

const FACTS = { "Media-Width": "1920", "Media-Height": "1080", "Media-Duration": "12.345" };

/** A thumbnail of this size. @param headers in place of the usual ones; undefined omits one */
export function made(sizeBytes = JPEG_BYTES, headers: Record<string, string | undefined> = {}): Response {
  return answer(thumbnailJpeg(sizeBytes), headers);
}

/** A 200 with this body. */
export function answer(
  body: Uint8Array<ArrayBuffer> | string | null,
  headers: Record<string, string | undefined> = {},
): Response {
  const length = String(body?.length ?? 0);
  const all = { "Content-Type": "image/jpeg", "Content-Length": length, ...FACTS, ...headers };
  const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Response(body, { headers: kept });
}

export function impossible(reason = "no video in the file"): Response {
  return Response.json({ reason }, { status: 422 });
}

/** The binding of a Container that answers with this processor. */
export function processorAt(processor: Processor): Env["MEDIA_PROCESSOR"] {
  const fetcher = {
    fetch: async (url: URL, init: RequestInit): Promise<Response> => {
      const request = new Request(url, init);
      if (`${request.method} ${url.pathname}` !== "POST /thumbnail") return new Response(null, { status: 404 });
      const task = await request.json<Record<string, unknown>>();
      const answered = processor({ ...(task as unknown as ThumbnailTask), source: new URL(String(task.source)) });
      return Promise.race([answered, aborted(init.signal)]);
    },
  };
  return { getByName: () => fetcher } as unknown as Env["MEDIA_PROCESSOR"];
}

/** Rejects as `fetch` does when its signal fires. */
function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}

/** A processor that makes a thumbnail each time, and records its tasks. */
export function remembering(): { processor: Processor; tasks: ThumbnailTask[] } {
  const tasks: ThumbnailTask[] = [];
  const processor: Processor = (task) => {
    tasks.push(task);
    return made();
  };
  return { processor, tasks };
}
