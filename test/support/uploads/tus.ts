import { bearer, call } from "../api/api.ts";

/** tus 1.0.0 as a client speaks it, inside the test's Worker. */

export const TUS = { "Tus-Resumable": "1.0.0" };
export const OFFSET_TYPE = { "Content-Type": "application/offset+octet-stream" };

export function metadata(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(",");
}

export function create(token: string, headers: Record<string, string>, body?: BodyInit): Promise<Response> {
  const type = body === undefined ? {} : OFFSET_TYPE;
  return call("/images/upload", {
    method: "POST",
    headers: { ...bearer(token), ...TUS, ...type, ...headers },
    body: body ?? null,
  });
}

/** @returns the path of an upload of this length */
export async function begin(token: string, length: number, values: Record<string, string> = {}): Promise<string> {
  const named = { "Upload-Metadata": metadata({ filename: "film.mp4", ...values }) };
  const response = await create(token, { "Upload-Length": String(length), ...named });
  if (response.status !== 201) throw new Error(`creation answered ${response.status}: ${await response.text()}`);
  return response.headers.get("Location") ?? "";
}

export function patch(
  token: string,
  path: string,
  offset: number,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Response> {
  const all = { ...bearer(token), ...TUS, ...OFFSET_TYPE, "Upload-Offset": String(offset), ...headers };
  return call(path, { method: "PATCH", headers: all, body });
}

export function head(token: string, path: string): Promise<Response> {
  return call(path, { method: "HEAD", headers: { ...bearer(token), ...TUS } });
}

export function remove(token: string, path: string): Promise<Response> {
  return call(path, { method: "DELETE", headers: { ...bearer(token), ...TUS } });
}

export async function offsetOf(token: string, path: string): Promise<number> {
  const response = await head(token, path);
  if (response.status !== 200) throw new Error(`HEAD answered ${response.status}`);
  return Number(response.headers.get("Upload-Offset"));
}
