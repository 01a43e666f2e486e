/** A bucket whose calls fail if R2 does not answer in time. R2 may still complete the call later. */
export function boundedBucket(bucket: R2Bucket, timeoutMs: number): R2Bucket {
  return bounded(bucket, timeoutMs, (name, result) =>
    name.endsWith("MultipartUpload") ? bounded(result as R2MultipartUpload, timeoutMs) : result,
  );
}

type Call = (...args: unknown[]) => unknown;

function bounded<T extends object>(
  store: T,
  timeoutMs: number,
  open: (name: string, result: unknown) => unknown = (_, result) => result,
): T {
  return new Proxy(store, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== "function") return member;
      const name = String(property);
      return (...args: unknown[]) => {
        const result = (member as Call).apply(target, args);
        if (!(result instanceof Promise)) return open(name, result);
        return inTime(result, timeoutMs, name).then((value) => open(name, value));
      };
    },
  });
}

async function inTime<T>(work: Promise<T>, timeoutMs: number, name: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`R2 did not answer ${name} within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
