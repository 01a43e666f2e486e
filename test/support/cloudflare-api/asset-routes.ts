import { randomUUID } from "node:crypto";
import type { Asset, CloudflareAccount } from "./account-state.ts";
import { ok, REFUSALS } from "./answer.ts";
import { json, type Routes } from "./router.ts";

/**
 * Static assets (Cloudflare Workers, "Direct uploads"): a session lists the missing files, the client uploads them, then the script names
 * them.
 */

interface Session {
  /** Hashes by path. */
  readonly manifest: ReadonlyMap<string, string>;
}

interface AssetStore {
  /** Files by hash. */
  readonly files: Map<string, Asset>;
  /** Sessions by token. */
  readonly sessions: Map<string, Session>;
}

const STORES = new WeakMap<CloudflareAccount, AssetStore>();

export const ASSET_ROUTES: Routes = {
  "POST /workers/scripts/:name/assets-upload-session": (call, _, account) => {
    const { manifest } = json<{ manifest: Record<string, { hash: string }> }>(call);
    const { files, sessions } = storeOf(account);
    const paths = new Map(Object.entries(manifest).map(([path, { hash }]) => [path, hash]));
    const jwt = randomUUID();
    sessions.set(jwt, { manifest: paths });
    const missing = [...new Set(paths.values())].filter((hash) => !files.has(hash));
    return ok({ jwt, buckets: missing.length === 0 ? [] : [missing] });
  },
  "POST /workers/assets/upload": async ({ body, type, bearer }, _, account) => {
    const { files, sessions } = storeOf(account);
    if (!sessions.has(bearer)) throw REFUSALS.invalidToken();
    const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
    for (const [hash, part] of form) {
      const file = part as unknown as File;
      const contents = new Uint8Array(Buffer.from(await file.text(), "base64"));
      files.set(hash, { type: file.type, contents });
    }
    // The session's last upload is answered with the token for the script.
    return ok({ jwt: bearer }, undefined, 201);
  },
};

/** The files of a finished session's token, by path. @throws Refusal if the token is unknown, or a file is missing */
export function takeAssets(account: CloudflareAccount, jwt: string): Map<string, Asset> {
  const { files, sessions } = storeOf(account);
  const session = sessions.get(jwt);
  if (session === undefined) throw REFUSALS.invalidUpload("assets: the token is not known");
  return new Map(
    [...session.manifest].map(([path, hash]) => {
      const asset = files.get(hash);
      if (asset === undefined) throw REFUSALS.invalidUpload(`assets: ${path} was not uploaded`);
      return [path, asset];
    }),
  );
}

function storeOf(account: CloudflareAccount): AssetStore {
  const store = STORES.get(account) ?? { files: new Map(), sessions: new Map() };
  STORES.set(account, store);
  return store;
}
