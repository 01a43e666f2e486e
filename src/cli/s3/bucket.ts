import { AwsClient } from "aws4fetch";
import { listedObjects, type S3Object } from "./listed-objects.ts";

export interface BucketOptions {
  /** The endpoint, for example `https://<account>.r2.cloudflarestorage.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
}

/** Requests are repeated after 5xx, 429 and lost connections. */
const RETRIES = 6;
const SIGNED_FOR_SECONDS = 24 * 3600;

/** A bucket with the S3 API (path style, signature version 4). */
export class Bucket {
  /** Without credentials. */
  readonly url: string;
  readonly #name: string;
  readonly #client: AwsClient;

  constructor({ endpoint, bucket, ...credentials }: BucketOptions) {
    this.#name = bucket;
    this.url = `${endpoint.replace(/\/$/, "")}/${bucket}`;
    this.#client = new AwsClient({ ...credentials, service: "s3", retries: RETRIES });
  }

  /** @param query with its question mark */
  urlOf(key: string, query = ""): string {
    return `${this.url}/${key.split("/").map(encodeStrictly).join("/")}${query}`;
  }

  /** @throws Error with the service's code for another status; the signal's reason */
  async ask(method: string, url: string, init: RequestInit = {}, expected = [200]): Promise<Response> {
    const response = await this.#client.fetch(url, { method, ...init });
    if (expected.includes(response.status)) return response;
    const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? "no reason";
    throw new Error(`${method} ${this.#name}: ${response.status} ${code}`);
  }

  /** The objects whose keys begin with `prefix`, in the order of their keys, a page of up to 1,000 at a time. */
  async *list(prefix: string, signal?: AbortSignal): AsyncGenerator<S3Object> {
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const query = new URLSearchParams({ "list-type": "2", "encoding-type": "url", prefix });
      if (token !== undefined) query.set("continuation-token", token);
      const page = listedObjects(
        await (await this.ask("GET", `${this.url}?${query}`, { signal: signal ?? null })).text(),
      );
      yield* page.objects;
      token = page.nextToken;
    }
  }

  /** A URL from which anyone can download the object for a day. */
  async presign(key: string): Promise<string> {
    const url = this.urlOf(key, `?X-Amz-Expires=${SIGNED_FOR_SECONDS}`);
    return (await this.#client.sign(url, { aws: { signQuery: true } })).url;
  }
}

/** RFC 3986, as signatures demand it: `encodeURIComponent` leaves a few characters. */
function encodeStrictly(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
