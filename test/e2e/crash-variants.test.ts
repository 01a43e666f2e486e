import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { photo } from "../support/media/pictures.ts";
import { VideoAccount } from "../support/processor/account.ts";
import { Stack } from "../support/stack/stack.ts";
import { storedObjects } from "../support/uploads/stored-objects.ts";
import type { UploadResult } from "../support/uploads/upload-result.ts";

// SIGKILL of the whole stack while variants are made and their files are deleted (VAR-3, VAR-6).

const TIMEOUT_SECONDS = 4;
/** Each of them is another variant of a file. The media processor makes the AVIFs after their first request. */
const QUERIES = [
  ...["w=96&fm=avif", "w=640&fm=avif"],
  ...[64, 96, 128, 192, 256, 320, 448, 640].flatMap((width) =>
    ["jpg", "webp", "png"].map((format) => `w=${width}&fm=${format}`),
  ),
];
/** A maker that dies between two steps leaves these differences, and no others. */
const KNOWN = /variants-left|variants-miscounted/g;

let stack: Stack;
let key: string;
let email: string;
let account: VideoAccount;
let bytes: Buffer;

beforeAll(async () => {
  stack = await Stack.start({ INTENT_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) });
  const { pro } = await stack.demoAccounts();
  ({ apiKey: key, email } = pro);
  // A thousand requests a minute.
  await stack.admin("set-tier", email, "business");
  account = await VideoAccount.of(stack);
  bytes = await photo(1200, 900).jpeg().toBuffer();
}, 120_000);

afterAll(() => stack?.dispose());

function call(path: string, method = "GET"): Promise<Response> {
  return fetch(stack.baseUrl + path, { method, headers: { Authorization: `Bearer ${key}` } });
}

async function upload(): Promise<UploadResult> {
  const answer = await account.tryUpload("photo.jpg", bytes);
  expect(answer.status).toBe(201);
  return answer.json() as Promise<UploadResult>;
}

interface Answer {
  readonly status: number;
  readonly isSubstitute: boolean;
  readonly sha256: string;
}

async function get(url: string, query: string): Promise<Answer> {
  const answer = await fetch(`${url}?${query}`);
  const body = Buffer.from(await answer.arrayBuffer());
  const sha256 = createHash("sha256").update(body).digest("hex");
  return { status: answer.status, isSubstitute: answer.headers.get("X-Variant") === "substitute", sha256 };
}

/** Requests a variant until it is made. */
async function getMade(url: string, query: string): Promise<Answer> {
  let answer = await get(url, query);
  await expect
    .poll(async () => (answer = await get(url, query)), { interval: 100 })
    .toMatchObject({ status: 200, isSubstitute: false });
  return answer;
}

/** Requests the variants of a file one by one, until the stack is gone. */
async function makeUntilKilled({ url }: UploadResult, answers: (Answer & { readonly query: string })[]): Promise<void> {
  for (const query of QUERIES) {
    const answer = await get(url, query).catch(() => undefined);
    if (answer === undefined) return;
    answers.push({ ...answer, query });
  }
}

/** The keys of variants in R2 that belong to these uploads, or to any if none are given. */
async function variantKeys(ids?: readonly string[]): Promise<string[]> {
  const { keys } = await storedObjects(stack.stateDir);
  return keys.filter((each) => each.startsWith("variants/") && (ids?.some((id) => each.includes(id)) ?? true));
}

/** @returns the number of differences that are found */
async function reconcile(...args: string[]): Promise<number> {
  const output = await stack.admin("reconcile", email, ...args);
  const count = Number(/differences: (\d+)/.exec(output)?.[1]);
  expect(output.match(KNOWN) ?? [], output).toHaveLength(count);
  return count;
}

describe("SIGKILL of the whole stack while variants are made", () => {
  it("Every variant is served whole afterwards, and none of a deleted file stays", async () => {
    const kept = await Promise.all([upload(), upload(), upload()]);
    const doomed = await Promise.all([upload(), upload(), upload()]);
    const answers: (Answer & { query: string })[] = [];
    const clients = [...kept, ...doomed].map((file) => makeUntilKilled(file, answers));
    await expect.poll(() => answers.length, { interval: 10 }).toBeGreaterThan(0);
    const deletions = doomed.map(({ _id }) => call(`/images/${_id}`, "DELETE").catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, 25));
    await stack.kill();
    await Promise.all([...clients, ...deletions]);
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.length).toBeLessThan(QUERIES.length * 6);
    for (const { status } of answers) expect(status).toBeOneOf([200, 404]);

    await stack.restart();
    // A deletion that was begun is finished by the alarm.
    await new Promise((resolve) => setTimeout(resolve, 1000 * (TIMEOUT_SECONDS + 2)));
    for (const { _id } of doomed) expect((await call(`/images/${_id}`, "DELETE")).status).toBeOneOf([200, 404]);
    await reconcile("--repair");
    expect(await reconcile()).toBe(0);
    expect(await variantKeys(doomed.map(({ _id }) => _id))).toEqual([]);

    // The variants of an upload that no crash has touched.
    const { url: untouched, _id: untouchedId } = await upload();
    for (const query of QUERIES) {
      const right = await getMade(untouched, query);
      for (const { url } of kept) expect(await getMade(url, query)).toEqual(right);
      for (const answer of answers.filter((each) => each.query === query && each.status === 200))
        if (!answer.isSubstitute) expect(answer.sha256).toBe(right.sha256);
    }
    for (const { url } of doomed) expect((await get(url, "w=64")).status).toBe(404);
    expect(await variantKeys(doomed.map(({ _id }) => _id))).toEqual([]);
    expect(await reconcile()).toBe(0);
    const overview = (await (await call("/stats/overview")).json()) as { variants: { count: number } };
    expect(overview.variants.count).toBe((await variantKeys()).length);
    for (const id of [untouchedId, ...kept.map(({ _id }) => _id)])
      expect((await call(`/images/${id}`, "DELETE")).status).toBe(200);
    expect(await variantKeys()).toEqual([]);
  }, 150_000);
});
