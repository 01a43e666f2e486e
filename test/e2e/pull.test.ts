import { createHash, randomFillSync } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import type { DemoAccounts } from "../../src/tools/local/demo-accounts.ts";
import { CliUser } from "../support/cli/run-cli.ts";
import { mp4, png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";

// `media-host pull` against the whole stack, also killed in the middle.

const MIB = 1024 * 1024;
const SMALL = 60;

let stack: Stack;
let accounts: DemoAccounts;
let host: Client;
let user: CliUser;
/** The bytes that each file must have, by its path. */
const expected = new Map<string, string>();

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

beforeAll(async () => {
  stack = await Stack.start();
  accounts = await stack.demoAccounts();
  user = await CliUser.create({ MEDIA_HOST_URL: stack.baseUrl, MEDIA_HOST_KEY: accounts.pro.apiKey });
  host = createClient({ baseUrl: stack.baseUrl, key: accounts.pro.apiKey });
  await host.settings.update({ autoCompress: false });
  const holidays = await host.folders.create({ name: "Holidays" });
  const year = await host.folders.create({ name: "20:26?", parentId: holidays._id });
  const put = async (name: string, bytes: Uint8Array, folderId: string | null, path: string) => {
    await host.upload(bytes, { name, folderId });
    expected.set(path, hash(bytes));
  };
  for (let at = 0; at < SMALL; at += 1) {
    await put(`p${at}.png`, png(10 + at, 7), holidays._id, `Holidays/p${at}.png`);
  }
  await put("con.png", png(3, 3), year._id, "Holidays/20_26_/_con.png");
  const secret = png(4, 4);
  await host.upload(secret, { name: "secret.png", visibility: "private" });
  expected.set("secret.png", hash(secret));
  await put("film.mp4", Buffer.concat([mp4(200), randomFillSync(Buffer.alloc(60 * MIB))]), null, "film.mp4");
});

afterAll(async () => {
  await user?.[Symbol.asyncDispose]();
  await stack?.dispose();
});

/** @returns the hashes of all files below a folder, by path, without the program's own */
async function read(folder: string, prefix = ""): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const path = prefix + entry.name;
    if (path === ".media-host" || path === "manifest.jsonl") continue;
    if (entry.isDirectory()) for (const [inner, bytes] of await read(folder, `${path}/`)) found.set(inner, bytes);
    else found.set(path, hash(await readFile(join(folder, path))));
  }
  return found;
}

interface Line {
  readonly id: string;
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly etag: string;
}

async function manifest(folder: string): Promise<Line[]> {
  const text = await readFile(join(folder, "manifest.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

const pull = (folder: string, ...args: string[]) => user.run(["pull", "root", folder, ...args]);
const sorted = (map: Map<string, string>) => [...map].sort();

describe("pull", () => {
  it("A pull copies every file into folders, lists them with their hashes, and a second one downloads nothing", async () => {
    const first = await pull("all");
    expect(first).toMatchObject({ exitCode: 0, stdout: "", stderr: expect.stringContaining("different: 0") });
    expect(sorted(await read(user.path("all")))).toEqual(sorted(expected));
    const lines = await manifest(user.path("all"));
    expect(lines.map(({ path, sha256 }) => [path, sha256]).sort()).toEqual(sorted(expected));
    expect(lines.every(({ etag, size }) => etag.startsWith('"') && size > 0)).toBe(true);
    expect(await readdir(user.path("all", ".media-host"))).toEqual([]);
    const again = await pull("all");
    expect(again.stderr).toContain(`downloaded: 0 (0 B), there already: ${expected.size}, moved: 0, different: 0`);
    expect(await manifest(user.path("all"))).toEqual(lines);
  });

  it("A folder is pulled into a directory of its name", async () => {
    expect(await user.run(["pull", "Holidays"])).toMatchObject({ exitCode: 0 });
    const inside = [...expected].filter(([path]) => path.startsWith("Holidays/"));
    const paths = inside.map(([path, bytes]) => [path.slice("Holidays/".length), bytes]);
    expect(sorted(await read(user.path("Holidays")))).toEqual(paths.sort());
  });

  it("A pull that is killed at any time ends in the same bytes when it is run again, and no file is downloaded twice", async () => {
    let kills = 0;
    let downloaded = 0;
    for (let delay = 150; ; delay += 40) {
      const child = user.start(["pull", "root", "killed", "--json", "-c", "2"]);
      let text = "";
      child.stdout?.on("data", (data) => {
        text += data;
      });
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      const exitCode = await Promise.race([ended, sleep(delay)]);
      if (exitCode === undefined) {
        child.kill("SIGKILL");
        await ended;
        kills += 1;
      }
      downloaded += text.split('"status":"downloaded"').length - 1;
      if (exitCode !== undefined) {
        expect(exitCode).toBe(0);
        break;
      }
    }
    expect(kills).toBeGreaterThan(2);
    expect(sorted(await read(user.path("killed")))).toEqual(sorted(expected));
    expect(downloaded).toBeLessThanOrEqual(expected.size);
    expect(await readdir(user.path("killed", ".media-host"))).toEqual([]);
  });

  it("Moves and deletions on the service are followed without downloads, and no copy is deleted", async () => {
    const folder = user.path("followed");
    await pull("followed");
    const list = await host.imagePage({ folderId: "all", q: "p1.png" });
    const [moved] = list.images.filter(({ originalFilename }) => originalFilename === "p1.png");
    const [gone] = (await host.imagePage({ folderId: "all", q: "p2.png" })).images.filter(
      ({ originalFilename }) => originalFilename === "p2.png",
    );
    await host.update(moved?._id ?? "", { folderId: null });
    await host.trash([gone?._id ?? ""]);
    const { stderr, exitCode } = await pull("followed");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("only here: Holidays/p2.png");
    expect(stderr).toContain(`downloaded: 0 (0 B), there already: ${expected.size - 2}, moved: 1, different: 1`);
    const bytes = await read(folder);
    expect(bytes.get("p1.png")).toBe(expected.get("Holidays/p1.png"));
    expect(bytes.has("Holidays/p1.png")).toBe(false);
    expect(bytes.get("Holidays/p2.png")).toBe(expected.get("Holidays/p2.png"));
    await host.update(moved?._id ?? "", { folderId: moved?.folderId ?? null });
    await host.restore([gone?._id ?? ""]);
  });

  it("Files that a person changed or put there are kept and named, unless `--force` is given", async () => {
    const folder = user.path("mine");
    await pull("mine");
    await writeFile(join(folder, "Holidays/p3.png"), "my own");
    await rm(join(folder, "Holidays/p4.png"));
    await rm(join(folder, "manifest.jsonl"));
    await writeFile(join(folder, "Holidays/p5.png"), "another");
    await mkdir(join(folder, "own"));
    await writeFile(join(folder, "own/notes.txt"), "notes");
    const { exitCode, stderr } = await pull("mine");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("another file is in its place; --force replaces it: Holidays/p3.png");
    expect(stderr).toContain("only here: own/notes.txt");
    expect(stderr).toContain("downloaded: 1 (");
    expect(await readFile(join(folder, "Holidays/p3.png"), "utf8")).toBe("my own");
    expect(await pull("mine", "--force")).toMatchObject({ exitCode: 0 });
    const bytes = await read(folder);
    bytes.delete("own/notes.txt");
    expect(sorted(bytes)).toEqual(sorted(expected));
  });

  it("A file in the place of a folder ends the pull with a reason", async () => {
    await mkdir(user.path("blocked"));
    await writeFile(user.path("blocked", "Holidays"), "a file");
    expect(await pull("blocked")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("a file or a link is in the place of a folder"),
    });
  });
});
