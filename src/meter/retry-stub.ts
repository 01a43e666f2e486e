import { retry } from "../isolate/retry.ts";
import type { AccountMeter } from "./account-meter.ts";
import type { Deletion, Unfinished } from "./answers.ts";

type Methods = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>;

/**
 * A Durable Object whose methods can all be called twice. A call that was lost, as every deploy and every failed machine loses
 * some, is made again where the runtime says that it may be (Durable Objects documentation, "Error handling").
 * @param open opens a stub: one that has thrown may throw for ever
 * @param again makes of a repeated call's result what the first one would have been
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
          // Called in place: `apply` would be taken for a method of the object.
          const result = await ((number === 1 ? first : open()) as Methods)[method]?.(...args);
          return number === 1 ? result : again(method, result);
        }, mayPass);
    },
  });
}

/** An account's meter, called again where a call was lost. */
export function retryAccountMeter(open: () => DurableObjectStub<AccountMeter>): DurableObjectStub<AccountMeter> {
  return retryStub(open, (method, result) => {
    if (method === "deleteUpload") return toDeleted(result as Deletion);
    if (method === "deleteUploads") return (result as readonly (Deletion | Unfinished)[]).map(toDeleted);
    return method === "removeResumable" && result === "unknown" ? "removed" : result;
  });
}

/** Whether the lost call deleted it or another one did cannot be told: it is gone, as was asked for. */
function toDeleted(result: Deletion | Unfinished): Deletion | Unfinished {
  return result.outcome === "gone" ? { ...result, outcome: "deleted" } : result;
}

/** A reset ends every call that is under way, also without the flag that asks for another try. */
function mayPass(error: unknown): boolean {
  const flags = error as { readonly retryable?: boolean; durableObjectReset?: boolean; overloaded?: boolean } | null;
  return (flags?.retryable === true || flags?.durableObjectReset === true) && flags.overloaded !== true;
}
