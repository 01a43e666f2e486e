import { Bucket, type BucketOptions } from "../s3/bucket.ts";
import type { PieceWriter, Target } from "./target.ts";

/** A backup in a bucket. @param prefix of every name; empty, or ends with a slash */
export function openS3(options: BucketOptions, prefix: string): Target {
  const bucket = new Bucket(options);
  const ask: Ask = (...asked) => bucket.ask(...asked);
  const urlOf = (name: string, query = "") => bucket.urlOf(prefix + name, query);
  return {
    title: `${bucket.url}/${prefix}`,
    async put(name, bytes, sha256) {
      await ask("PUT", urlOf(name), {
        body: bytes as Uint8Array<ArrayBuffer>,
        headers: { "X-Amz-Content-Sha256": sha256 },
      });
    },
    begin: (name) => beginUpload(ask, (query) => urlOf(name, query)),
    async get(name) {
      const response = await ask("GET", urlOf(name), {}, [200, 404]);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return response.status === 404 ? undefined : bytes;
    },
    async getRange(name, offset, length) {
      if (length === 0) return new Uint8Array();
      const headers = { Range: `bytes=${offset}-${offset + length - 1}` };
      const bytes = new Uint8Array(await (await ask("GET", urlOf(name), { headers }, [206])).arrayBuffer());
      if (bytes.length !== length) throw new Error(`${name} is shorter than it was`);
      return bytes;
    },
    async list(below) {
      const names: string[] = [];
      for await (const { key } of bucket.list(prefix + below)) names.push(key.slice(prefix.length));
      return names;
    },
    async delete(name) {
      await ask("DELETE", urlOf(name), {}, [200, 204, 404]);
    },
  };
}

type Ask = Bucket["ask"];

async function beginUpload(ask: Ask, urlOf: (query: string) => string): Promise<PieceWriter> {
  const begun = await (await ask("POST", urlOf("?uploads="))).text();
  const id = encodeURIComponent(/<UploadId>([^<]+)</.exec(begun)?.[1] ?? "");
  const etags: string[] = [];
  return {
    async write(bytes) {
      const query = `?partNumber=${etags.length + 1}&uploadId=${id}`;
      const response = await ask("PUT", urlOf(query), { body: bytes as Uint8Array<ArrayBuffer> });
      etags.push(response.headers.get("ETag") ?? "");
    },
    async complete() {
      const parts = etags.map(
        (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
      const answer = await (await ask("POST", urlOf(`?uploadId=${id}`), { body })).text();
      // S3 may answer 200 and an error.
      if (answer.includes("<Error>")) throw new Error(`the upload was not completed: ${answer.slice(0, 200)}`);
    },
    async abort() {
      await ask("DELETE", urlOf(`?uploadId=${id}`), {}, [200, 204, 404]);
    },
  };
}
