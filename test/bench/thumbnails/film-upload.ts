import type { UploadResult } from "../../support/uploads/upload-result.ts";
import type { Client } from "../support/client.ts";

const BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";

/** Uploads films in one request, so that all their thumbnails are requested at the same moment. */
export async function uploadFilms(client: Client, films: readonly Buffer[]): Promise<UploadResult[]> {
  const parts = films.flatMap((film, index) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="film-${index}.mp4"\r\n` +
        "Content-Type: video/mp4\r\n\r\n",
    ),
    film,
    Buffer.from("\r\n"),
  ]);
  const { body } = await client.call(201, "/images/upload", {
    method: "POST",
    headers: { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  });
  const answer: UploadResult | { uploaded: UploadResult[] } = JSON.parse(body.toString());
  return "uploaded" in answer ? answer.uploaded : [answer];
}
