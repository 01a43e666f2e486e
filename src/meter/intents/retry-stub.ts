import { retry } from "../../isolate/calls.ts";
import type { Deletion, Unfinished } from "./outcomes.ts";

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
        }, mayPass);
    },
  });
}

/** A reset ends every call in progress, also without the flag `retryable`. */
function mayPass(error: unknown): boolean {
  const flags = error as { readonly retryable?: boolean; durableObjectReset?: boolean; overloaded?: boolean } | null;
  return (flags?.retryable === true || flags?.durableObjectReset === true) && flags.overloaded !== true;
}

/** Wraps an account's meter, so that lost calls are repeated. */
export function retryAccountMeter<Stub extends object>(open: () => Stub): Stub {
  return retryStub(open, (method, result) => {
    if (method === "deleteUpload") return toDeleted(result as Deletion);
    if (method === "deleteUploads") return (result as readonly (Deletion | Unfinished)[]).map(toDeleted);
    return method === "removeResumable" && result === "unknown" ? "removed" : result;
  });
}

/** The lost call may have deleted the upload, or another call did. In both cases it is deleted, as requested. */
function toDeleted(result: Deletion | Unfinished): Deletion | Unfinished {
  return result.outcome === "gone" ? { ...result, outcome: "deleted" } : result;
}
