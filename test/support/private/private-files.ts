import { env } from "cloudflare:workers";
import { everyKey, thumbnailKey, variantsPrefix } from "../../../src/domain/object-key.ts";
import type { Visibility } from "../../../src/domain/visibility.ts";
import { bearer, call, callJson, type TestAccount, type UploadResult } from "../api/api.ts";

export interface Signed {
  readonly url: string;
  readonly thumbnailUrl: string | null;
  readonly expiresAt: string;
}

/** The path and query of a URL of this stack. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

export async function sign(token: string, id: string, body: object = {}): Promise<Signed> {
  const response = await callJson("POST", `/images/${id}/sign`, token, body);
  if (response.status !== 200) throw new Error(`sign answered ${response.status}: ${await response.text()}`);
  return response.json();
}

export async function setVisibility(token: string, id: string, visibility: Visibility): Promise<Response> {
  return callJson("PATCH", `/images/${id}`, token, { visibility });
}

/** The status of a URL, and the code of a refusal. */
export async function open(url: string): Promise<number | string> {
  const response = await call(pathOf(url));
  if (response.ok) {
    await response.arrayBuffer();
    return response.status;
  }
  return (await response.json<{ code: string }>()).code;
}

export async function find(token: string, id: string) {
  const response = await call(`/images/${id}`, { headers: bearer(token) });
  return response.json<{ visibility: Visibility; url: string; previewUrl: string | null; viewUrl: string }>();
}

/** The keys of an upload in R2: file, thumbnail, variants. */
export async function keysOf(account: TestAccount, { _id, filename }: UploadResult): Promise<string[]> {
  const own = [filename, thumbnailKey(account.id, _id)].flatMap(everyKey);
  const found = await Promise.all(own.map((key) => env.FILES.head(key)));
  const { objects } = await env.FILES.list({ prefix: variantsPrefix(account.id, _id) });
  return [...found.flatMap((object) => (object === null ? [] : [object.key])), ...objects.map(({ key }) => key)];
}
