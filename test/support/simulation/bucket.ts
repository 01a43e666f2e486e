import type { Party, Scheduler } from "./scheduler.ts";

/** R2's documented code for an internal error, and an error that is not retried. */
const PASSING = "put: We encountered an internal error. Please try again. (10001)";
const LASTING = "put: Unspecified error (10099)";
const LASTING_SHARE = 0.1;

export interface StoredObject {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly customMetadata: Record<string, string> | undefined;
  readonly etag: string;
}

interface Multipart {
  readonly key: string;
  readonly parts: Map<number, Uint8Array>;
  state: "open" | "completed" | "aborted";
}

/** What R2 holds. */
export class BucketContents {
  readonly objects = new Map<string, StoredObject>();
  readonly multiparts = new Map<string, Multipart>();
  #puts = 0;

  put(object: Omit<StoredObject, "etag">): StoredObject {
    const stored = { ...object, etag: `etag-${++this.#puts}` };
    this.objects.set(object.key, stored);
    return stored;
  }
}

type Body = Uint8Array | ReadableStream<Uint8Array> | ArrayBuffer | string | null;

interface PutOptions {
  readonly customMetadata?: Record<string, string>;
  readonly onlyIf?: { readonly etagMatches: string } | { readonly etagDoesNotMatch: "*" };
}

/** The R2 binding of one party. A stream is read before the call is made. */
export class BucketSimulation {
  readonly #contents: BucketContents;
  readonly #party: Party;
  readonly #scheduler: Scheduler;

  constructor(contents: BucketContents, { party, scheduler }: { party: Party; scheduler: Scheduler }) {
    this.#contents = contents;
    this.#party = party;
    this.#scheduler = scheduler;
  }

  head(key: string) {
    return this.#call("head", key, () => toHead(this.#contents.objects.get(key)));
  }

  get(key: string) {
    return this.#call("get", key, () => {
      const object = this.#contents.objects.get(key);
      if (object === undefined) return null;
      const arrayBuffer = async () => object.bytes.slice().buffer;
      const text = async () => new TextDecoder().decode(object.bytes);
      return { ...toHead(object), body: streamOf(object.bytes), arrayBuffer, text };
    });
  }

  async put(key: string, body: Body, options: PutOptions = {}) {
    const bytes = await readAll(body);
    return this.#call("put", key, () => {
      const { onlyIf } = options;
      const etag = this.#contents.objects.get(key)?.etag;
      if (onlyIf !== undefined && ("etagMatches" in onlyIf ? onlyIf.etagMatches !== etag : etag !== undefined))
        return null;
      return toHead(this.#contents.put({ key, bytes, customMetadata: options.customMetadata }));
    });
  }

  delete(keys: string | readonly string[]) {
    const all = typeof keys === "string" ? [keys] : [...keys];
    if (all.length > 1000) throw new RangeError("R2 deletes at most 1,000 objects in one call");
    return this.#call("delete", all.join(" "), () => {
      for (const key of all) this.#contents.objects.delete(key);
    });
  }

  list({ prefix = "", limit = 1000, cursor }: { prefix?: string; limit?: number; cursor?: string } = {}) {
    return this.#call("list", prefix, () => {
      const keys = [...this.#contents.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
      const from = cursor === undefined ? keys : keys.filter((key) => key > cursor);
      const listed = from.slice(0, limit);
      return {
        objects: listed.map((key) => toHead(this.#contents.objects.get(key))),
        truncated: from.length > limit,
        cursor: from.length > limit ? listed.at(-1) : undefined,
        delimitedPrefixes: [],
      };
    });
  }

  async createMultipartUpload(key: string) {
    const uploadId = await this.#call("create multipart", key, () => {
      const id = `multipart-${this.#contents.multiparts.size + 1}`;
      this.#contents.multiparts.set(id, { key, parts: new Map(), state: "open" });
      return id;
    });
    return this.resumeMultipartUpload(key, uploadId);
  }

  resumeMultipartUpload(key: string, uploadId: string) {
    return {
      key,
      uploadId,
      uploadPart: async (partNumber: number, body: Body) => {
        const bytes = await readAll(body);
        return this.#call(`part ${partNumber} of ${uploadId}`, key, () => {
          this.#open(uploadId).parts.set(partNumber, bytes);
          return { partNumber, etag: `etag-${partNumber}-${bytes.length}` };
        });
      },
      complete: (parts: readonly { readonly partNumber: number }[]) =>
        this.#call(`complete ${uploadId}`, key, () => {
          const multipart = this.#open(uploadId);
          const chunks = parts.map(({ partNumber }) => {
            const chunk = multipart.parts.get(partNumber);
            if (chunk === undefined) throw new Error("complete: One or more of the specified parts (10025)");
            return chunk;
          });
          multipart.state = "completed";
          const bytes = new Uint8Array(Buffer.concat(chunks));
          return toHead(this.#contents.put({ key, bytes, customMetadata: undefined }));
        }),
      abort: () =>
        this.#call(`abort ${uploadId}`, key, () => {
          this.#open(uploadId).state = "aborted";
        }),
    };
  }

  #open(uploadId: string): Multipart {
    const multipart = this.#contents.multiparts.get(uploadId);
    if (multipart?.state === "open") return multipart;
    throw new Error("The specified multipart upload does not exist. (10024)");
  }

  #call<T>(verb: string, key: string, effect: () => T): Promise<T> {
    const label = () => `R2 ${verb} ${key.replaceAll(/uploads\/\w+\//g, "")}`;
    return this.#scheduler.call(this.#party, label, this.#failure, effect);
  }

  readonly #failure = () => new Error(this.#scheduler.random() < LASTING_SHARE ? LASTING : PASSING);
}

function toHead(object: StoredObject | undefined) {
  if (object === undefined) return null;
  const { key, bytes, customMetadata, etag } = object;
  return { key, size: bytes.length, customMetadata, etag, uploaded: new Date() };
}

export function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice());
      controller.close();
    },
  });
}

export async function readAll(body: Body): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0);
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0));
  if (body instanceof Uint8Array) return body.slice();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk.slice());
  return new Uint8Array(Buffer.concat(chunks));
}
