import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { jpeg } from "../support/media/samples.ts";
import { startApi } from "../support/stack/miniflare.ts";
import { openBusinessAccount } from "./support/account.ts";
import type { Client } from "./support/client.ts";
import { reportRatio, type Target } from "./support/report.ts";
import { measureInTurn } from "./support/rounds.ts";

const run = promisify(execFile);

const FILES = 10_000;
const FILES_A_REQUEST = 50;
const FILE_BYTES = 4096;
const ROUNDS = 3;
/** The most of aria2c's own options. */
const CONNECTIONS = 16;

/** The command line against aria2c on the same URLs, which aria2c need not list, hash, or record. */
export async function benchPull(): Promise<Target[]> {
  console.log(`pull: ${FILES} files of ${FILE_BYTES} bytes, against aria2c (files a second)`);
  await using product = await startApi({}, { isQuiet: true, isUnlimited: true });
  const { client } = await openBusinessAccount(product.url);
  const folder = await mkdtemp(join(tmpdir(), "bench-pull-"));
  const authorization = String(client.headers.Authorization);
  try {
    const urls = await upload(client);
    await writeFile(join(folder, "urls"), urls.join("\n"));
    const env = {
      ...process.env,
      HOME: folder,
      MEDIA_HOST_URL: product.url.href,
      MEDIA_HOST_KEY: authorization.replace("Bearer ", ""),
    };
    const measure = (command: string, args: (out: string) => string[]) => async () => {
      const out = await mkdtemp(join(folder, "out-"));
      const started = performance.now();
      await run(command, args(out), { env, maxBuffer: 2 ** 28 });
      const seconds = (performance.now() - started) / 1000;
      const names = (await readdir(out)).filter((name) => name !== "manifest.jsonl" && name !== ".media-host");
      if (names.length !== FILES) throw new Error(`${names.length} files instead of ${FILES}`);
      const first = await readFile(join(out, names[0] ?? ""));
      if (first.length !== FILE_BYTES) throw new Error(`${first.length} bytes instead of ${FILE_BYTES}`);
      await rm(out, { recursive: true });
      return FILES / seconds;
    };
    const pairs = await measureInTurn(ROUNDS, {
      product: measure(process.execPath, (out) => [resolve(".cli/media-host.js"), "pull", "root", out, "--quiet"]),
      bare: measure("aria2c", (out) => ["-q", "-i", join(folder, "urls"), "-d", out, `-j${CONNECTIONS}`]),
    });
    return [reportRatio("files/s", pairs, { atLeast: 0.8 })];
  } finally {
    client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the files' URLs */
async function upload(client: Client): Promise<string[]> {
  const urls: string[] = [];
  for (let at = 0; at < FILES; at += FILES_A_REQUEST) {
    const form = new FormData();
    for (let file = at; file < at + FILES_A_REQUEST; file += 1)
      form.append(
        "file",
        new Blob([jpeg(100 + (file % 50), 100, FILE_BYTES) as Uint8Array<ArrayBuffer>]),
        `f${file}.jpg`,
      );
    const request = new Request("http://form", { method: "POST", body: form });
    const { body } = await client.call(201, "/images/upload", {
      method: "POST",
      headers: { "Content-Type": request.headers.get("Content-Type") ?? "" },
      body: Buffer.from(await request.arrayBuffer()),
    });
    const { uploaded } = JSON.parse(body.toString()) as { uploaded: { url: string }[] };
    urls.push(...uploaded.map(({ url }) => url));
  }
  return urls;
}
