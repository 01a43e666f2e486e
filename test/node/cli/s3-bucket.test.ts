import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Bucket } from "../../../src/cli/s3/bucket.ts";
import { listedObjects } from "../../../src/cli/s3/listed-objects.ts";
import { parseS3Url, readBucketOptions } from "../../../src/cli/s3/parse-s3-url.ts";
import { S3Server } from "../../support/backup/s3-server.ts";

const KEYS = [
  "a b+c.png",
  "it's (1)!*.png",
  "%41 & <b>.png",
  "ordner/größe 写.jpg",
  "many/0001.jpg",
  "many/0002.jpg",
].sort();

let server: S3Server;
let bucket: Bucket;

beforeAll(async () => {
  server = await S3Server.start("photos");
  bucket = new Bucket(readBucketOptions("photos", server.env));
  for (const key of KEYS) await bucket.ask("PUT", bucket.urlOf(key), { body: `bytes of ${key}` });
}, 120_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function keysBelow(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(prefix)) keys.push(key);
  return keys;
}

it("The objects of a bucket or of a prefix are listed", async () => {
  expect((await keysBelow("")).sort()).toEqual(KEYS);
  expect(await keysBelow("ordner/")).toEqual(["ordner/größe 写.jpg"]);
  expect(await keysBelow("none/")).toEqual([]);
});

it("A listing continues over several pages, with the token of each", async () => {
  const asked: URLSearchParams[] = [];
  const pages = createServer(({ url = "" }, answer) => {
    const query = new URL(url, "http://s3").searchParams;
    asked.push(query);
    const number = Number(query.get("continuation-token")?.split("+")[1] ?? 0);
    const token = number < 2 ? `<NextContinuationToken>t/=+${number + 1}</NextContinuationToken>` : "";
    answer.end(`<ListBucketResult>${token}<Contents><Key>${number}.png</Key></Contents></ListBucketResult>`);
  }).listen(0, "127.0.0.1");
  await once(pages, "listening");
  const endpoint = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const keys: string[] = [];
  for await (const { key } of new Bucket({ ...readBucketOptions("photos", server.env), endpoint }).list("a&b/"))
    keys.push(key);
  pages.close();
  expect(keys).toEqual(["0.png", "1.png", "2.png"]);
  expect(asked.map((query) => query.get("continuation-token"))).toEqual([null, "t/=+1", "t/=+2"]);
  expect(asked.every((query) => query.get("prefix") === "a&b/" && query.get("list-type") === "2")).toBe(true);
});

it("A signed URL downloads its object, with any characters in its key, and no other object", async () => {
  for (const key of KEYS.filter((each) => !each.startsWith("many/"))) {
    const answer = await fetch(await bucket.presign(key));
    expect([key, answer.status, await answer.text()]).toEqual([key, 200, `bytes of ${key}`]);
  }
  const url = await bucket.presign("many/0001.jpg");
  expect(url).toContain("X-Amz-Expires=86400");
  expect((await fetch(url.replace("0001", "0002"))).status).toBe(403);
});

it("A wrong secret is refused, and the error has no key", async () => {
  const wrong = new Bucket({ ...readBucketOptions("photos", server.env), secretAccessKey: "wrong" });
  const error = await wrong
    .list("")
    .next()
    .catch((refused: Error) => refused.message);
  expect(error).toBe("GET photos: 403 SignatureDoesNotMatch");
});

it("A listing is read with keys that are escaped as URLs, or as XML alone", () => {
  const page = (key: string, extra = "") =>
    `<ListBucketResult>${extra}<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified>` +
    `<ETag>&quot;e1&quot;</ETag><Size>7</Size></Contents></ListBucketResult>`;
  const object = { sizeBytes: 7, etag: "e1", lastModified: "2026-01-02T03:04:05.000Z" };
  expect(listedObjects(page("a%26+b%2B.png", "<EncodingType>url</EncodingType>"))).toEqual({
    objects: [{ ...object, key: "a& b+.png" }],
  });
  expect(
    listedObjects(page("100%25 &amp;&#x20;&#98;.png", "<NextContinuationToken>t&amp;</NextContinuationToken>")),
  ).toEqual({ objects: [{ ...object, key: "100%25 & b.png" }], nextToken: "t&" });
  expect(() => listedObjects("<html></html>")).toThrow("no listing");
});

it("A place in a bucket is `s3://BUCKET/PREFIX`, and a missing variable is named", () => {
  expect(parseS3Url("s3://photos")).toEqual({ bucket: "photos", prefix: "" });
  expect(parseS3Url("s3://photos/2024")).toEqual({ bucket: "photos", prefix: "2024/" });
  expect(parseS3Url("urls.txt")).toBeUndefined();
  expect(() => readBucketOptions("photos", {})).toThrow("AWS_ENDPOINT_URL_S3 is not set");
});
