/** The number of attempts. They wait less than a second in total, because a client waits. */
const ATTEMPTS = 3;
/** No attempt begins after this time, because a single attempt may take long. */
const DEADLINE_MS = 20_000;
const FIRST_DELAY_MS = 100;
const DELAY_FACTOR = 4;

/**
 * Retries a repeatable call after transient failures. Delays grow and are random, so that the callers of one failure do not all retry at
 * the same time.
 * @param attempt called with its number, from 1
 * @throws the last attempt's error
 */
export async function retry<T>(
  attempt: (number: number) => Promise<T>,
  mayPass: (error: unknown) => boolean,
): Promise<T> {
  const startedAt = Date.now();
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      const delayMs = FIRST_DELAY_MS * DELAY_FACTOR ** (number - 1) * (0.5 + Math.random());
      const isLate = Date.now() - startedAt + delayMs > DEADLINE_MS;
      if (number === ATTEMPTS || isLate || !mayPass(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

export type Sender<Body> = Pick<Queue<Body>, "send" | "sendBatch">;

/** A queue that retries after every failure, because its errors have no codes and its consumers accept duplicates. */
export function retryQueue<Body>(queue: Queue<Body>): Sender<Body> {
  return {
    send: (...args) =>
      retry(
        () => queue.send(...args),
        () => true,
      ),
    sendBatch: (...args) =>
      retry(
        () => queue.sendBatch(...args),
        () => true,
      ),
  };
}

type Methods = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>;

/**
 * Wraps the stub of a Durable Object whose methods may all be repeated. Each deployment and each machine failure loses some calls. A lost
 * call is repeated if the runtime marks it as retryable (Durable Objects documentation, "Error handling").
 * @param open opens a new stub: a stub that has thrown may throw forever
 * @param again turns a repeated call's result into the result of the first call
 */
export function retryStub<Stub extends object>(
  open: () => Stub,
  again: (method: string, result: unknown) => unknown = (_, result) => result,
): Stub {
  return new Proxy(open(), {
    get: (first, method) => {
      if (typeof method !== "string" || method === "then" || typeof Reflect.get(first, method) !== "function") {
        return Reflect.get(first, method);
      }
      return (...args: unknown[]) =>
        retry(async (number) => {
          // The method is called directly, because RPC would take `apply` for a method of the object.
          const result = await ((number === 1 ? first : open()) as Methods)[method]?.(...args);
          return number === 1 ? result : again(method, result);
        }, isLostCall);
    },
  });
}

/** A reset ends every call in progress, also without the flag `retryable`. */
function isLostCall(error: unknown): boolean {
  const flags = error as { readonly retryable?: boolean; durableObjectReset?: boolean; overloaded?: boolean } | null;
  return (flags?.retryable === true || flags?.durableObjectReset === true) && flags.overloaded !== true;
}

/**
 * R2's error codes for transient failures (R2 documentation, "Error codes", service errors), at the end of its
 * messages: internal error, unavailable, disconnected, too many requests. 0 is an error without a code, such as a
 * broken connection.
 */
const PASSING = /\((?:10001|10043|10054|10058|0)\)\.?$|Network connection lost|internal error; reference/i;

const again = <T>(call: (number: number) => Promise<T>) => retry(call, mayPass);

function mayPass(error: unknown): boolean {
  return error instanceof Error && PASSING.test(error.message);
}

/** Whether the same body can be sent to R2 again. A stream can be read only once; the function that opens it retries (`retryR2`). */
function isRepeatable(body: unknown): boolean {
  return !(body instanceof ReadableStream);
}

/**
 * A bucket that retries transient failures. All of its calls can be repeated except calls whose body is a stream: the
 * caller that opens the stream retries with `retryR2`.
 */
export function retryBucket(bucket: R2Bucket): R2Bucket {
  type Put = (...args: Parameters<R2Bucket["put"]>) => Promise<R2Object | null>;
  const put: Put = (...args) => (bucket as { put: Put }).put(...args);
  return {
    head: (key) => again(() => bucket.head(key)),
    get: ((...args: Parameters<R2Bucket["get"]>) => again(() => bucket.get(...args))) as R2Bucket["get"],
    put: ((...args) => (isRepeatable(args[1]) ? again(() => put(...args)) : put(...args))) as R2Bucket["put"],
    delete: (keys) => again(() => bucket.delete(keys)),
    list: (options) => again(() => bucket.list(options)),
    createMultipartUpload: async (key, options) =>
      retryMultipart(bucket, await again(() => bucket.createMultipartUpload(key, options))),
    resumeMultipartUpload: (key, uploadId) => retryMultipart(bucket, bucket.resumeMultipartUpload(key, uploadId)),
  };
}

/** Retries an R2 call that opens its body again each time. */
export function retryR2<T>(call: () => Promise<T>): Promise<T> {
  return again(call);
}

/** A failed attempt may have succeeded in R2: the object then exists, or the upload to abort no longer does. */
function retryMultipart(bucket: R2Bucket, upload: R2MultipartUpload): R2MultipartUpload {
  const { key, uploadId } = upload;
  return {
    key,
    uploadId,
    uploadPart: (...args) =>
      isRepeatable(args[1]) ? again(() => upload.uploadPart(...args)) : upload.uploadPart(...args),
    complete: (parts) =>
      again(async (number) => (number > 1 ? await bucket.head(key) : null) ?? (await upload.complete(parts))),
    abort: () =>
      again((number) =>
        upload.abort().catch((error: unknown) => {
          if (number === 1 || !/\(10024\)/.test(String(error))) throw error;
        }),
      ),
  };
}

/**
 * Waits for an answer for at most `deadlineMs`. The work itself continues after that.
 * @throws the answer's error, or Error after the deadline
 */
export async function within<T>(deadlineMs: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs work on the same id one after the other in order of arrival, and work on different ids concurrently. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id);
    const turn = before === undefined ? work() : before.then(work, work);
    this.#last.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(id) === turn) this.#last.delete(id);
    }
  }
}
