import type { CallOptions, Connection } from "./connection.ts";

/**
 * @param image an image, or the id of a stored image
 * @throws MediaHostError; the signal's reason
 */
export async function previewCompression(
  connection: Connection,
  image: Blob | string,
  quality?: number,
  { signal }: CallOptions = {},
): Promise<{ readonly image: Blob; readonly originalBytes: number }> {
  const form = new FormData();
  if (typeof image === "string") form.append("id", image);
  else form.append("file", image);
  if (quality !== undefined) form.append("quality", String(quality));
  const answer = await connection.send({ method: "POST", path: "/settings/compression-preview", body: form, signal });
  return { image: await answer.blob(), originalBytes: Number(answer.headers.get("X-Original-Size")) };
}
