import { randomFillSync } from "node:crypto";
import { mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient, type MediaObject } from "../../src/client/index.ts";
import type { DemoAccounts } from "../../src/tools/local/demo-accounts.ts";
import { CliUser } from "../support/cli/run-cli.ts";
import { mp4, png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";

// `media-host sync` against the whole stack, also killed in the middle.

const MIB = 1024 * 1024;

let stack: Stack;
let accounts: DemoAccounts;
let host: Client;
let user: CliUser;

beforeAll(async () => {
  stack = await Stack.start();
  accounts = await stack.demoAccounts();
  user = await CliUser.create({ MEDIA_HOST_URL: stack.baseUrl, MEDIA_HOST_KEY: accounts.pro.apiKey });
  host = createClient({ baseUrl: stack.baseUrl, key: accounts.pro.apiKey });
  await host.settings.update({ autoCompress: false });
});

afterAll(async () => {
  await user?.[Symbol.asyncDispose]();
  await stack?.dispose();
});

async function put(path: string, bytes: Uint8Array | string): Promise<void> {
  await mkdir(dirname(user.path(path)), { recursive: true });
  await writeFile(user.path(path), bytes);
}

/** The active files below a folder: their paths and uploads. */
async function list(top: string): Promise<Map<string, MediaObject[]>> {
  const folders = new Map((await host.folders.list()).map((folder) => [folder._id, folder]));
  const pathOf = (id: string | null): string => {
    const folder = id === null ? undefined : folders.get(id);
    return folder === undefined ? "" : `${pathOf(folder.parentId)}${folder.name}/`;
  };
  const found = new Map<string, MediaObject[]>();
  for await (const image of host.images({ folderId: "all" })) {
    const path = pathOf(image.folderId) + image.originalFilename;
    if (path.startsWith(`${top}/`)) found.set(path, [...(found.get(path) ?? []), image]);
  }
  return found;
}

const run = (...args: string[]) => user.run(["sync", ...args]);

describe("sync", () => {
  it("A sync sends new files into folders that it creates, once, and passes over links and hidden names", async () => {
    for (let at = 0; at < 8; at += 1) await put(`one/p${at}.png`, png(20 + at, 5));
    await put("one/2026/May/a.png", png(3, 9));
    // The same bytes under two names are two files.
    await put("one/2026/May/b.png", png(3, 9));
    await put("one/.hidden.png", png(4, 9));
    await put("one/notes.txt", "notes");
    await symlink(user.path("one/p0.png"), user.path("one/link.png"));
    await symlink(user.path("one"), user.path("one/circle"));
    const plan = await run("--dry-run", "one", "Albums/One");
    expect(plan.exitCode).toBe(0);
    expect(plan.stdout.split("\n").filter((line) => line.startsWith("would be uploaded"))).toHaveLength(10);
    expect(plan.stdout).toContain("folder would be created: 2026/May");
    expect((await list("Albums")).size).toBe(0);
    expect(await host.folders.list()).toEqual([]);

    expect(await run("one", "Albums/One")).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("uploaded: 10,"),
    });
    const there = await list("Albums/One");
    const names = ["2026/May/a.png", "2026/May/b.png", ...Array.from({ length: 8 }, (_, at) => `p${at}.png`)];
    expect([...there.keys()].sort()).toEqual(names.map((name) => `Albums/One/${name}`).sort());
    const again = await run("one", "Albums/One");
    expect(again.stderr).toContain("uploaded: 0, replaced: 0, there already: 10, moved to the trash: 0, different: 0");
    expect(await list("Albums/One")).toEqual(there);
  });

  it("Files are not sent again without the record of uploads", async () => {
    await rm(user.path("state"), { recursive: true });
    const again = await run("one", "Albums/One");
    expect(again.stderr).toContain("uploaded: 0, replaced: 0, there already: 10");
  });

  it("A changed file replaces its upload, which moves to the trash", async () => {
    const [before] = (await list("Albums/One")).get("Albums/One/p1.png") ?? [];
    await put("one/p1.png", png(99, 5));
    // A file of the same size.
    await put("one/p2.png", png(98, 5));
    await utimes(user.path("one/p2.png"), new Date(), new Date(Date.now() + 5000));
    expect((await run("one", "Albums/One")).stderr).toContain("uploaded: 0, replaced: 2, there already: 8");
    const files = (await list("Albums/One")).get("Albums/One/p1.png") ?? [];
    expect(files).toMatchObject([{ size: { width: 99 } }]);
    expect(await host.image(before?._id ?? "")).toMatchObject({ status: "trash" });
  });

  it("Files that are only on the service are named, and moved to the trash only with `--delete`", async () => {
    const before = await list("Albums/One");
    await rm(user.path("one/p3.png"));
    await rm(user.path("one/2026/May/b.png"));
    const first = await run("one", "Albums/One");
    expect(first).toMatchObject({ exitCode: 0 });
    expect(first.stderr).toContain("only on the service: p3.png");
    expect(first.stderr).toContain("different: 2");
    expect((await list("Albums/One")).size).toBe(before.size);
    const plan = await run("--delete", "-n", "one", "Albums/One");
    expect(plan.stdout.split("\n").filter(Boolean).sort()).toEqual([
      "would be moved to the trash: 2026/May/b.png",
      "would be moved to the trash: p3.png",
    ]);
    expect((await list("Albums/One")).size).toBe(before.size);
    expect((await run("--delete", "one", "Albums/One")).stderr).toContain("moved to the trash: 2, different: 0");
    expect((await list("Albums/One")).size).toBe(before.size - 2);
    const [trashed] = before.get("Albums/One/p3.png") ?? [];
    expect(await host.image(trashed?._id ?? "")).toMatchObject({ status: "trash" });
    await mkdir(user.path("empty"));
    expect(await run("--delete", "empty", "Albums/One")).toMatchObject({ exitCode: 2 });
    expect((await list("Albums/One")).size).toBe(before.size - 2);
  });

  it("A sync that is killed at any time ends with each file once when it is run again", async () => {
    for (let at = 0; at < 30; at += 1) await put(`two/d${at % 3}/p${at}.png`, png(200 + at, 5));
    await put("two/film.mp4", Buffer.concat([mp4(200), randomFillSync(Buffer.alloc(30 * MIB))]));
    let kills = 0;
    for (let delay = 250; ; delay += 60) {
      const child = user.start(["sync", "two", "Two"]);
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      child.stdout?.resume();
      child.stderr?.resume();
      const exitCode = await Promise.race([ended, sleep(delay)]);
      if (exitCode !== undefined) {
        expect(exitCode).toBe(0);
        break;
      }
      child.kill("SIGKILL");
      await ended;
      kills += 1;
      // The service finishes or undoes the requests that lost their client.
      await sleep(300);
    }
    expect(kills).toBeGreaterThan(2);
    await run("two", "Two");
    const there = await list("Two");
    expect(there.size).toBe(31);
    for (const [path, files] of there) expect({ path, uploads: files.length }).toEqual({ path, uploads: 1 });
    expect((await run("two", "Two")).stderr).toContain("uploaded: 0, replaced: 0, there already: 31");
  });

  it("Folders that the service cannot hold are refused before anything is sent", async () => {
    const deep = Array.from({ length: 20 }, (_, at) => `d${at}`).join("/");
    await put(`deep/${deep}/a.png`, png(7, 7));
    await put("deep/b.png", png(8, 8));
    expect(await run("deep", "Deep")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("21 folders deep"),
    });
    await put(`long/${"x".repeat(101)}/a.png`, png(7, 7));
    expect(await run("long", "Long")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("100 characters") });
    expect((await host.folders.list()).some(({ name }) => name === "Deep" || name === "Long")).toBe(false);
  });

  it("A file that cannot be stored is named, and the others are sent", async () => {
    await put("bad/a.png", "no picture");
    await put("bad/b.png", png(6, 6));
    const { exitCode, stderr } = await run("bad", "Bad");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("failed: a.png: 415");
    expect([...(await list("Bad")).keys()]).toEqual(["Bad/b.png"]);
  });
});
