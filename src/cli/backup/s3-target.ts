import { AwsClient } from "aws4fetch";
import type { PieceWriter, Target } from "./target.ts";

export interface S3Options {
  /** The endpoint, for example `https://<account>.r2.cloudflarestorage.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  /** The prefix of every name; empty, or ends with a slash. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** Requests are repeated after 5xx, 429 and lost connections. */
const RETRIES = 6;

/** A backup in a bucket with the S3 API (path style, signature version 4). */
export function openS3(options: S3Options): Target {
  const { bucket, prefix, accessKeyId, secretAccessKey, region } = options;
  const endpoint = options.endpoint.replace(/\/$/, "");
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: RETRIES });
  const urlOf = (name: string, query = "") => `${endpoint}/${bucket}/${prefix}${name}${query}`;
  /** @throws Error with the service's code for another status */
  const ask = async (method: string, url: string, init: RequestInit = {}, expected = [200]): Promise<Response> => {
    const response = await client.fetch(url, { method, ...init });
    if (expected.includes(response.status)) return response;
    const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? "no reason";
    throw new Error(`${method} ${bucket}: ${response.status} ${code}`);
  };
  return {
    title: `${endpoint}/${bucket}/${prefix}`,
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
      for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
        const query = new URLSearchParams({ "list-type": "2", prefix: prefix + below });
        if (token !== undefined) query.set("continuation-token", token);
        const xml = await (await ask("GET", `${endpoint}/${bucket}?${query}`)).text();
        // Names need no escapes in XML.
        names.push(...[...xml.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = ""]) => key.slice(prefix.length)));
        token = /<NextContinuationToken>([^<]+)</.exec(xml)?.[1];
      }
      return names;
    },
    async delete(name) {
      await ask("DELETE", urlOf(name), {}, [200, 204, 404]);
    },
  };
}

type Ask = (method: string, url: string, init?: RequestInit, expected?: number[]) => Promise<Response>;

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
