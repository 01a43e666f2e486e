import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isBelow, openRoots } from "../../../src/cli/upload/roots.ts";

// The only door from an agent to the disk.

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "roots-")));
  await mkdir(join(folder, "root", "inner"), { recursive: true });
  await mkdir(join(folder, "secret"));
  await writeFile(join(folder, "root", "inner", "a.png"), "open");
  await writeFile(join(folder, "secret", "a.png"), "secret");
});
afterEach(() => rm(folder, { recursive: true }));

describe("isBelow", () => {
  it.each([
    ["/a", "/a/b", true],
    ["/a", "/a/b/c", true],
    ["/a", "/a/..b", true],
    ["/", "/b", true],
    ["/a", "/a", false],
    ["/a", "/ab", false],
    ["/a", "/", false],
    ["/a/b", "/a/c", false],
  ])("%s, %s: %s", (root, path, below) => {
    expect(isBelow(root, path)).toBe(below);
  });
});

describe("openRoots", () => {
  it("A folder that becomes a link while a file is opened does not open a file outside", async () => {
    const roots = await openRoots([join(folder, "root")]);
    const inner = join(folder, "root", "inner");
    const swap = `
      const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
      const [inner, secret] = process.argv.slice(1);
      const rest = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
      symlinkSync(secret, inner + ".link");
      for (;;) {
        rest(1);
        renameSync(inner, inner + ".old");
        renameSync(inner + ".link", inner);
        rest(1);
        renameSync(inner, inner + ".link");
        renameSync(inner + ".old", inner);
      }`;
    const swapper = spawn(process.execPath, ["-e", swap, inner, join(folder, "secret")], { stdio: "ignore" });
    let [opened, refused] = [0, 0];
    try {
      for (let tries = 0; tries < 3000; tries += 1) {
        let text: string;
        try {
          await using file = await roots.open("inner/a.png");
          text = await file.handle.readFile("utf8");
        } catch {
          refused += 1;
          continue;
        }
        opened += 1;
        expect(text).toBe("open");
      }
    } finally {
      swapper.kill("SIGKILL");
      await once(swapper, "exit");
    }
    // The race is real: some tries hit the link.
    expect(opened).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });

  it("A named pipe is refused and not waited for", async () => {
    execFileSync("mkfifo", [join(folder, "root", "pipe.png")]);
    const roots = await openRoots([join(folder, "root")]);
    await expect(roots.open("pipe.png")).rejects.toThrow("is no file");
  });

  it("The root itself may be a link", async () => {
    await symlink(join(folder, "root"), join(folder, "alias"));
    const roots = await openRoots([join(folder, "alias")]);
    await using file = await roots.open(join(folder, "alias", "inner", "a.png"));
    expect(await file.handle.readFile("utf8")).toBe("open");
  });

  it("A root that is a file, or does not exist, is a usage error", async () => {
    await expect(openRoots([join(folder, "secret", "a.png")])).rejects.toThrow("is no folder");
    await expect(openRoots([join(folder, "nowhere")])).rejects.toMatchObject({ name: "UsageError" });
  });
});
