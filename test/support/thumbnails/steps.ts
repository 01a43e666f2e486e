import { env } from "cloudflare:workers";
import type { AccountMeter } from "../../../src/meter/account-meter.ts";
import { replaceLibraries } from "../api/databases.ts";
import { made, type Processor } from "./processor.ts";
import type { World } from "./queue.ts";

type Meter = DurableObjectStub<AccountMeter>;
type ThumbnailCall = "reserveThumbnail" | "settleThumbnail" | "failThumbnail";

/** Bindings that run a function right before or right after one step of making a thumbnail. */

export function aroundPut(before: () => Promise<unknown>, after: () => Promise<unknown> = nothing): Partial<Env> {
  const put = async (key: string, value: Uint8Array<ArrayBuffer>, options: R2PutOptions) => {
    await before();
    const object = await env.FILES.put(key, value, options);
    await after();
    return object;
  };
  return { FILES: { put, delete: (key: string) => env.FILES.delete(key) } as unknown as R2Bucket };
}

/** The bucket with a replaced `head`. */
export function bucketWithHead(head: (key: string) => Promise<R2Object | null>): Partial<Env> {
  const files = {
    head,
    delete: (keys: string | string[]) => env.FILES.delete(keys),
    list: (options?: R2ListOptions) => env.FILES.list(options),
  };
  return { FILES: files as unknown as R2Bucket };
}

export function aroundMeter(
  name: ThumbnailCall,
  before: () => Promise<unknown>,
  after: () => Promise<unknown> = nothing,
): Partial<Env> {
  const getByName = (accountId: string) => {
    const meter: Meter = env.ACCOUNT_METER.getByName(accountId);
    const calls = {
      locate: () => meter.locate(),
      reserveThumbnail: (uploadId: string, sizeBytes: number) => meter.reserveThumbnail(uploadId, sizeBytes),
      settleThumbnail: (uploadId: string) => meter.settleThumbnail(uploadId),
    };
    const failThumbnail = async (...args: Parameters<typeof meter.failThumbnail>) => {
      if (name === "failThumbnail") await before();
      const settled = await meter.failThumbnail(...args);
      if (name === "failThumbnail") await after();
      return settled;
    };
    if (name === "failThumbnail") return { ...calls, failThumbnail };
    const call = async (uploadId: string, sizeBytes: number) => {
      await before();
      const outcome = await calls[name](uploadId, sizeBytes);
      await after();
      return outcome;
    };
    return { ...calls, failThumbnail, [name]: call };
  };
  return { ACCOUNT_METER: { getByName } as unknown as Env["ACCOUNT_METER"] };
}

/** D1 that runs a function after an updated row, before the update is answered. */
export function afterUpdate(deed: () => Promise<unknown>): Partial<Env> {
  const wrap = (sql: string, statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get: (target, name) => {
        if (name === "bind") return (...values: unknown[]) => wrap(sql, target.bind(...values));
        const method = Reflect.get(target, name).bind(target);
        // `raw` is for updates that return columns.
        if (!(name === "run" || name === "raw") || !/^update/i.test(sql)) return method;
        return async (...options: unknown[]) => {
          const result = await method(...options);
          await deed();
          return result;
        };
      },
    });
  return replaceLibraries(
    (real) => ({ prepare: (sql: string) => wrap(sql, real.prepare(sql)) }) as unknown as D1Database,
  );
}

/** D1 that counts the requested changes of rows. */
export function countingUpdates(): { readonly databases: Partial<Env>; readonly count: number } {
  let count = 0;
  const databases = replaceLibraries(
    (real) =>
      new Proxy(real, {
        get: (target, name) => {
          if (name !== "prepare") return Reflect.get(target, name).bind(target);
          return (sql: string) => {
            if (!/^\s*select\b/i.test(sql)) count++;
            return target.prepare(sql);
          };
        },
      }),
  );
  return {
    databases,
    get count() {
      return count;
    },
  };
}

export async function nothing(): Promise<void> {}

/** The Worker has died, so none of its remaining steps happens. */
export async function crash(): Promise<never> {
  throw new Error("The Worker is gone");
}

type Deed = () => Promise<unknown>;

const processor: Processor = () => made();

/** The moments of making a thumbnail at which another event happens. */
export const MOMENTS: [string, (deed: Deed) => World][] = [
  [
    "while the processor works",
    (deed) => ({
      processor: async () => {
        await deed();
        return made();
      },
    }),
  ],
  ["before storage is reserved", (deed) => ({ processor, replaced: aroundMeter("reserveThumbnail", deed) })],
  ["after storage was reserved", (deed) => ({ processor, replaced: aroundMeter("reserveThumbnail", nothing, deed) })],
  ["before the put", (deed) => ({ processor, replaced: aroundPut(deed) })],
  ["after the put", (deed) => ({ processor, replaced: aroundPut(nothing, deed) })],
  ["before it is settled", (deed) => ({ processor, replaced: aroundMeter("settleThumbnail", deed) })],
  ["just after it was settled", (deed) => ({ processor, replaced: aroundMeter("settleThumbnail", nothing, deed) })],
];
