import { execFile, spawn } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import axios from "axios";
import got from "got";
import ky from "ky";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeService } from "../support/cli/fake-service.ts";
import { mp4, png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";
import { makeClient } from "../support/tools/generated/make-client.ts";
import { hasCommand } from "../support/tools/has-command.ts";
import { processArguments } from "../support/tools/process-arguments.ts";

// Programs and libraries that run here, used as their users do, against the whole stack.

const run = promisify(execFile);
const NAME = "Größe €, 100%.png";
const PYTHON = "/usr/bin/python3";
const PROGRAMS = join(import.meta.dirname, "../support/tools/programs");

let stack: Stack;
let key: string;
let folder: string;
let width = 30;

beforeAll(async () => {
  stack = await Stack.start();
  key = (await stack.demoAccounts()).pro.apiKey;
  folder = await mkdtemp(join(tmpdir(), "media-host-tools-"));
});
afterAll(async () => {
  await stack?.dispose();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const read = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

/** A picture that no other test has. */
async function picture(name = NAME): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  const path = join(folder, name);
  const bytes = Buffer.from(png(width++, 2));
  await writeFile(path, bytes);
  return { path, bytes };
}

/** @returns the media list's item for a URL */
async function listed(url: string) {
  const id = /\/([0-9a-z]{26})-[^/]*$/.exec(url)?.[1];
  const answer = await fetch(`${stack.baseUrl}/images/${id}`, { headers: { Authorization: `Bearer ${key}` } });
  return (await answer.json()) as { prompt: string; tags: string[] };
}

/** Runs a command with this standard input. */
async function pipe(command: string, args: readonly string[], input: Uint8Array, env: Record<string, string> = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data) => (stdout += data));
  child.stderr.on("data", (data) => (stderr += data));
  child.stdin.on("error", () => undefined).end(input);
  const exitCode = await new Promise<number | null>((done) => child.on("close", done));
  return { exitCode, stdout, stderr };
}

describe("curl", () => {
  const header = () => `Authorization: Bearer ${key}`;
  const plain = ["-sS", "--fail-with-body", "-H", "Accept: text/plain"];

  it.each<[string, (path: string, url: string) => string[]]>([
    ["a form", (path, url) => ["-F", `file=@"${path}"`, url]],
    ["a form that waits for 100 Continue", (path, url) => ["-H", "Expect: 100-continue", "-F", `file=@"${path}"`, url]],
    [
      "the body",
      (path, url) => [
        "--data-binary",
        `@${path}`,
        "-H",
        "Content-Type: image/png",
        `${url}?filename=${encodeURIComponent(NAME)}`,
      ],
    ],
    ["the body alone", (path, url) => ["--data-binary", `@${path}`, `${url}?filename=${encodeURIComponent(NAME)}`]],
    [
      "the body, read as it is sent",
      (path, url) => [
        "-X",
        "POST",
        "-T",
        path,
        "-H",
        "Content-Type: image/png",
        `${url}?filename=${encodeURIComponent(NAME)}`,
      ],
    ],
  ])("curl uploads by %s", async (_, args) => {
    const { path, bytes } = await picture();
    const { stdout } = await run("curl", [...plain, "-H", header(), ...args(path, `${stack.baseUrl}/images/upload`)]);
    const url = stdout.trim();
    expect(sha(await read(url))).toBe(sha(bytes));
    expect((await listed(url)).prompt).toBe(NAME);
  });

  it("curl uploads its standard input, whose length is unknown", async () => {
    const bytes = Buffer.concat([mp4(100), randomFillSync(Buffer.alloc(9_000_000))]);
    const args = [...plain, "-H", header(), "-H", "Transfer-Encoding: chunked", "-F", "file=@-;filename=a.mp4"];
    const { stdout } = await pipe("curl", [...args, `${stack.baseUrl}/images/upload`], bytes);
    expect(sha(await read(stdout.trim()))).toBe(sha(bytes));
  });

  it("curl resumes an interrupted download", async () => {
    const { path, bytes } = await picture("part.png");
    const { stdout } = await run("curl", [
      ...plain,
      "-H",
      header(),
      "-F",
      `file=@${path}`,
      `${stack.baseUrl}/images/upload`,
    ]);
    const half = join(folder, "half.png");
    await writeFile(half, bytes.subarray(0, 40));
    await run("curl", ["-sS", "-f", "-C", "-", "-o", half, stdout.trim()]);
    expect(sha(await readFile(half))).toBe(sha(bytes));
  });
});

describe("script for Flameshot, ksnip and shells", () => {
  let script: string;
  beforeAll(async () => {
    script = join(folder, "upload.sh");
    const text = await (await fetch(`${stack.baseUrl}/tools/script`)).text();
    await writeFile(script, text.replace("YOUR_KEY", key), { mode: 0o700 });
  });

  it("The script uploads files of any name, as ksnip and Typora call it, and prints a URL a line", async () => {
    const one = await picture(`a "quoted" \\ name; $(id) '.png`);
    const other = await picture(NAME);
    const { stdout } = await run(script, [one.path, other.path]);
    const urls = stdout.trim().split("\n");
    expect(urls).toHaveLength(2);
    for (const [at, { bytes }] of [one, other].entries()) expect(sha(await read(urls[at] ?? ""))).toBe(sha(bytes));
    expect((await listed(urls[1] ?? "")).prompt).toBe(NAME);
  });

  it("The script uploads its standard input, as Flameshot calls it", async () => {
    const { bytes } = await picture();
    const { exitCode, stdout } = await pipe(script, [], bytes);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/shot-[\d-]+\.png\n$/);
    expect(sha(await read(stdout.trim()))).toBe(sha(bytes));
  });

  it.runIf(process.platform === "linux")("The script keeps the key out of every process's arguments", async () => {
    await using service = await FakeService.start();
    let seen = "";
    service.onForm = async () => {
      seen = await processArguments();
    };
    const elsewhere = join(folder, "elsewhere.sh");
    await writeFile(elsewhere, (await readFile(script, "utf8")).replace(stack.baseUrl, service.url), { mode: 0o700 });
    await run(elsewhere, [(await picture()).path]);
    expect(service.sent).toMatchObject([{ key }]);
    expect(seen).toContain(`${service.url}/images/upload`);
    expect(seen).not.toContain(key);
  });

  it("The script prints the service's message to standard error when it fails", async () => {
    const { exitCode, stdout, stderr } = await pipe(script, [], Buffer.from("no picture"));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain("Only images and videos are allowed");
    const { path } = await picture();
    const wrong = await pipe(script, [path], Buffer.alloc(0), { MEDIA_HOST_KEY: "service_live_wrong" });
    expect(wrong).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringContaining("Invalid or missing API key"),
    });
  });
});

describe("download programs", () => {
  let url: string;
  let bytes: Buffer;
  beforeAll(async () => {
    bytes = Buffer.concat([mp4(100), randomFillSync(Buffer.alloc(30_000_000))]);
    const headers = { Authorization: `Bearer ${key}`, Accept: "text/plain", "Content-Type": "video/mp4" };
    const answer = await fetch(`${stack.baseUrl}/images/upload?filename=film.mp4`, {
      method: "POST",
      headers,
      body: bytes,
    });
    url = (await answer.text()).trim();
  });

  it.runIf(hasCommand("aria2c"))("`aria2c -x 8` reads a file over eight connections at once", async () => {
    await run("aria2c", ["-q", "-x", "8", "-s", "8", "-k", "1M", "-d", folder, "-o", "aria.mp4", url]);
    expect(sha(await readFile(join(folder, "aria.mp4")))).toBe(sha(bytes));
  });

  it.runIf(hasCommand("rclone", "version"))("rclone reads a file by its URL, in several streams", async () => {
    const env = { ...process.env, RCLONE_CONFIG: join(folder, "rclone.conf") };
    const streams = ["--multi-thread-streams", "4", "--multi-thread-cutoff", "1M"];
    await run("rclone", ["copyurl", ...streams, url, join(folder, "rclone.mp4")], { env });
    expect(sha(await readFile(join(folder, "rclone.mp4")))).toBe(sha(bytes));
  });
});

describe("Python", () => {
  const libraries = ["requests", "httpx", "aiohttp"].filter((name) => hasCommand(PYTHON, "-c", `import ${name}`));
  const ways = libraries.flatMap((name) => (name === "requests" ? ["requests", "requests-body"] : [name]));

  it.runIf(ways.length > 0)(`${ways.join(", ")} upload a file with its name`, async () => {
    for (const way of ways) {
      const { path, bytes } = await picture();
      const env = { ...process.env, KEY: key, PYTHONIOENCODING: "utf-8" };
      const { stdout } = await run(PYTHON, [join(PROGRAMS, "upload.py"), way, stack.baseUrl, path], { env });
      const [status, url = "", name] = stdout.split("\n");
      expect([way, status, name]).toEqual([way, "201", NAME]);
      expect(sha(await read(url))).toBe(sha(bytes));
      if (way === "requests") expect((await listed(url)).tags).toEqual(["python"]);
    }
  });
});

describe("tuspy", () => {
  const canRun = hasCommand(PYTHON, "-c", "import tusclient, tinydb");

  it.runIf(canRun)("tuspy uploads a file in chunks, and another process resumes by the stored address", async () => {
    const bytes = Buffer.concat([mp4(100), randomFillSync(Buffer.alloc(17_000_000))]);
    const path = join(folder, "tuspy.mp4");
    await writeFile(path, bytes);
    const args = [join(PROGRAMS, "upload-by-tus.py"), stack.baseUrl, path, "Größe €.mp4", join(folder, "urls.json")];
    const env = { ...process.env, KEY: key, PYTHONIOENCODING: "utf-8" };
    const upload = async (...stopAt: string[]) => (await run(PYTHON, [...args, ...stopAt], { env })).stdout.split("\n");
    const chunks = 2 * 5 * 1024 * 1024;
    expect(await upload(String(chunks))).toEqual(["0", String(chunks), "", ""]);
    const [begunAt, endedAt, body = ""] = await upload();
    expect([begunAt, endedAt]).toEqual([String(chunks), String(bytes.length)]);
    const { url } = JSON.parse(body);
    expect(sha(await read(url))).toBe(sha(bytes));
    expect(await listed(url)).toMatchObject({ prompt: "Größe €.mp4", tags: ["python"] });
  });
});

describe("Go", () => {
  it.runIf(hasCommand("go", "version"))("Go's net/http uploads a form of unknown length", async () => {
    const { path, bytes } = await picture();
    const env = { ...process.env, KEY: key, GO111MODULE: "off", GOFLAGS: "", GOPATH: join(folder, "go") };
    const { stdout } = await run("go", ["run", join(PROGRAMS, "upload.go"), stack.baseUrl, path], { env });
    const [status, url = ""] = stdout.split("\n");
    expect(status).toBe("201");
    expect(sha(await read(url))).toBe(sha(bytes));
    expect((await listed(url)).prompt).toBe(NAME);
  });
});

describe("JavaScript", () => {
  it.each<[string, (url: string, form: FormData, headers: Record<string, string>) => Promise<unknown>]>([
    ["axios", async (url, form, headers) => (await axios.post(url, form, { headers })).data],
    ["got", (url, body, headers) => got.post(url, { body, headers }).json()],
    ["ky", (url, body, headers) => ky.post(url, { body, headers }).json()],
    ["fetch", async (url, body, headers) => (await fetch(url, { method: "POST", body, headers })).json()],
  ])("%s uploads a form with a file from the disk", async (_, post) => {
    const { path, bytes } = await picture();
    const form = new FormData();
    form.append("file", await openAsBlob(path, { type: "image/png" }), basename(path));
    const result = (await post(`${stack.baseUrl}/images/upload`, form, { Authorization: `Bearer ${key}` })) as {
      readonly url: string;
      readonly originalFilename: string;
    };
    expect(result.originalFilename).toBe(NAME);
    expect(sha(await read(result.url))).toBe(sha(bytes));
  });

  it("axios and got upload a stream as the body, and show the service's message when it fails", async () => {
    const { path, bytes } = await picture();
    const url = `${stack.baseUrl}/images/upload?filename=stream.png`;
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "image/png" };
    const { data } = await axios.post(url, createReadStream(path), { headers });
    expect(sha(await read(data.url))).toBe(sha(bytes));
    const body = createReadStream(path);
    const stored = await got.post(url, { body, headers, retry: { limit: 0 } }).json<{ url: string }>();
    expect(sha(await read(stored.url))).toBe(sha(bytes));
    const refused = await axios.post(url, "no picture", { headers, validateStatus: () => true });
    expect([refused.status, refused.data.error]).toEqual([415, "Only images and videos are allowed"]);
  });
});

describe("Clients that are made from the description", () => {
  it.each(["openapi-typescript", "@hey-api/openapi-ts"] as const)(
    "A client made by %s compiles under strict, and uploads, lists and changes",
    async (generator) => {
      const { messages, run } = await makeClient(
        generator,
        await (await fetch(`${stack.baseUrl}/openapi.json`)).text(),
      );
      expect(messages).toBe("");
      const name = `${generator.replace("/", "-")}.png`;
      const { bytes } = await picture(name);
      expect(await run(stack.baseUrl, key, new File([new Uint8Array(bytes)], name))).toEqual({
        remaining: expect.stringMatching(/^\d+$/),
        failed: ["unsupported_media_type"],
        updated: 1,
        tags: ["made", "typed"],
        listed: [{ originalFilename: name, favorite: true }],
        code: "invalid_request",
      });
    },
  );
});
