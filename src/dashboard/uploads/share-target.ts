/** Files that another app has shared with the installed dashboard, kept by public/app/share-worker.js. */

const WORKER = "/dashboard/app/share-worker.js";
const CACHE = "shared-files";

interface ScriptUrls {
  createScriptURL(url: string): string;
}

/** The part of Trusted Types used here, which TypeScript does not describe. */
interface ScriptPolicies {
  createPolicy(name: string, rules: ScriptUrls): ScriptUrls;
}

/** Registers the worker that takes shared files. A browser without one shows no share target. */
export async function takeShares(): Promise<void> {
  const { trustedTypes } = globalThis as { trustedTypes?: ScriptPolicies };
  const url = trustedTypes?.createPolicy("share-worker", { createScriptURL: () => WORKER }).createScriptURL(WORKER);
  await navigator.serviceWorker?.register(url ?? WORKER);
}

/** The kept files; none if another tab has taken them. */
export async function readShared(): Promise<File[]> {
  const cache = await caches.open(CACHE);
  const files = (await cache.keys()).map(async (key) => {
    const kept = await cache.match(key);
    if (kept === undefined) return [];
    const name = decodeURIComponent(kept.headers.get("File-Name") ?? "");
    return [new File([await kept.blob()], name, { type: kept.headers.get("Content-Type") ?? "" })];
  });
  return (await Promise.all(files)).flat();
}

export async function forgetShared(): Promise<void> {
  await caches.delete(CACHE);
}
