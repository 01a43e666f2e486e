export interface Rate {
  /** Requests a minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since 1970. */
  readonly resetAt: number;
}

/** The account's figures in the headers of each response (LIM-7). */
export interface Usage {
  readonly rate: Rate;
  readonly operations: { readonly used: number; readonly limit: number };
  /** Bytes. */
  readonly storage: { readonly used: number; readonly limit: number };
}

/** Reads the seven headers. Undefined if the response belongs to no account: its limits are 0. */
export function toUsage(headers: Headers): Usage | undefined {
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN);
  const usage = {
    rate: {
      limit: number("X-RateLimit-Limit"),
      remaining: number("X-RateLimit-Remaining"),
      resetAt: number("X-RateLimit-Reset") * 1000,
    },
    operations: { used: number("X-Operations-Used"), limit: number("X-Operations-Limit") },
    storage: { used: number("X-Storage-Used"), limit: number("X-Storage-Limit") },
  };
  const figures = [usage.rate, usage.operations, usage.storage].flatMap((part) => Object.values(part));
  return figures.every(Number.isFinite) && usage.storage.limit > 0 ? usage : undefined;
}
