import { createHash, randomFillSync } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DemoAccounts } from "../../src/tools/local/demo-accounts.ts";
import { CliUser, endOf } from "../support/cli/run-cli.ts";
import { mp4, png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";

// The command line against the whole stack: logged in, with an upload key, and with a large file that is interrupted.

const MIB = 1024 * 1024;

let stack: Stack;
let accounts: DemoAccounts;
let person: CliUser;
let uploader: CliUser;

beforeAll(async () => {
  stack = await Stack.start();
  accounts = await stack.demoAccounts();
  person = await CliUser.create({ MEDIA_HOST_URL: stack.baseUrl });
  uploader = await CliUser.create({ MEDIA_HOST_URL: stack.baseUrl, MEDIA_HOST_KEY: accounts.free.uploadKey });
  for (const [at, name] of ["a.png", "b.png", "c d.png"].entries()) {
    await writeFile(person.path(name), png(3 + at, 2));
    await writeFile(uploader.path(name), png(13 + at, 2));
  }
});

afterAll(async () => {
  await person?.[Symbol.asyncDispose]();
  await uploader?.[Symbol.asyncDispose]();
  await stack?.dispose();
});

const lines = (text: string) => text.split("\n").filter(Boolean);

/** @returns its output; fails the test if its exit code is not 0 */
async function run(user: CliUser, args: readonly string[], input?: string): Promise<string[]> {
  const { exitCode, stdout, stderr } = await user.run(args, input === undefined ? {} : { input });
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  return lines(stdout);
}

describe("a user who logs in", () => {
  it("The command line asks for the password, and only the user can read the stored session", async () => {
    const { email } = accounts.pro;
    const before = await person.run(["ls"]);
    expect(before).toMatchObject({ exitCode: 3, stdout: "" });
    const wrong = await person.run(["login", "--email", email], { input: "wrong\n" });
    expect(wrong).toMatchObject({ exitCode: 3, stdout: "" });
    await run(person, ["login"], `${email}\n${accounts.password}\n`);
    expect((await stat(person.configPath)).mode & 0o777).toBe(0o600);
    expect(await readFile(person.configPath, "utf8")).not.toContain(accounts.password);
    // A session is not sent to another service.
    const elsewhere = await person.run(["ls", "--host", "http://localhost:1"]);
    expect(elsewhere.exitCode).toBe(3);
  });

  it("A logged-in user uploads, lists, moves, tags and deletes files", async () => {
    const [folder = ""] = await run(person, ["folders", "create", "Holidays/2026"]);
    const urls = await run(person, [
      "upload",
      "-f",
      "Holidays/2026",
      "-t",
      "beach",
      "-t",
      "sea",
      "a.png",
      "b.png",
      "c d.png",
    ]);
    expect(urls).toHaveLength(3);
    const bytes = await (await fetch(urls[2] ?? "")).arrayBuffer();
    expect(Buffer.from(bytes).equals(Buffer.from(png(5, 2)))).toBe(true);

    expect(await run(person, ["folders"])).toEqual(["Holidays", "Holidays/2026"]);
    expect((await run(person, ["ls", "Holidays/2026"])).sort()).toEqual([...urls].sort());
    expect(await run(person, ["ls", "--search", "c d"])).toEqual([urls[2]]);
    const pictures = ["ls", "-a", "--type", "png", "--type", "video", "--orientation", "landscape", "--without-alt"];
    expect((await run(person, pictures)).sort()).toEqual([...urls].sort());
    expect(await run(person, [...pictures, "--expiring", "--private", "--camera", "none"])).toEqual([]);
    expect(await run(person, ["ls", "-a", "--taken-down"])).toEqual([]);
    expect(await person.run(["ls", "--type", "bmp"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--type is one of image, video, jpg"),
    });
    // Three are uploaded at a time, so any of them may be the newest.
    expect(await run(person, ["ls", "-l", "-n", "1", folder])).toEqual([
      expect.stringMatching(/^\w{26} {2}20.*(a|b|c d)\.png {2}\[beach, sea\]/),
    ]);

    await run(person, ["mv", urls[0] ?? "", "Holidays"]);
    expect(await run(person, ["ls", "Holidays"])).toEqual([urls[0]]);
    await run(person, ["tag", "--add", "best", "--remove", "sea", "-"], `${urls[0]}\n${urls[1]}\n`);
    expect((await run(person, ["ls", "-a", "-t", "best", "-t", "beach"])).sort()).toEqual(urls.slice(0, 2).sort());

    const [replaced = ""] = await run(person, ["replace", urls[0] ?? "", "c d.png"]);
    expect(replaced).not.toBe(urls[0]);
    const same = await run(person, ["duplicates"]);
    expect([...same].sort()).toEqual([replaced, urls[2]].sort());
    expect(await run(person, ["duplicates", "--extra"])).toEqual(same.slice(1));
    const newBytes = await (await fetch(urls[0] ?? "")).arrayBuffer();
    expect(Buffer.from(newBytes).equals(Buffer.from(png(5, 2)))).toBe(true);
    expect(await person.run(["replace", urls[0] ?? "", "gone.png"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("there is no such file"),
    });
    urls[0] = replaced;
    // It has no place, so its URL stays.
    expect(await run(person, ["remove-location", urls[0]])).toEqual([urls[0]]);
    expect(await person.run(["remove-location", "no id"])).toMatchObject({ exitCode: 2 });

    await run(person, ["rm", urls[0] ?? ""]);
    expect(await run(person, ["ls", "--trash"])).toEqual([urls[0]]);
    await run(person, ["restore", urls[0] ?? ""]);
    expect(await person.run(["rm", "--only-trash", urls[0] ?? ""])).toMatchObject({ exitCode: 2 });
    const kept = await person.run(["rm", "--forever", "--only-trash", urls[0] ?? ""]);
    expect(kept).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("409 The file is not in the trash") });
    expect((await fetch(urls[0] ?? "")).status).toBe(200);
    await run(person, ["rm", urls[0] ?? ""]);
    await run(person, ["rm", "--forever", "--only-trash", urls[0] ?? ""]);
    expect((await fetch(urls[0] ?? "")).status).toBe(404);
    const again = await person.run(["rm", "--forever", urls[0] ?? ""]);
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("404 Image not found") });

    // A deleted file is uploaded again, an existing file is not.
    const second = await run(person, ["upload", "-f", "Holidays/2026", "a.png", "b.png"]);
    expect(second[0]).not.toBe(urls[0]);
    expect(second[1]).toBe(urls[1]);

    await run(person, ["folders", "rename", "Holidays/2026", "Summer"]);
    await run(person, ["folders", "rm", "Holidays"]);
    expect(await run(person, ["folders"])).toEqual([]);
    const [stats = "{}"] = await run(person, ["stats", "--json"]);
    expect(JSON.parse(stats)).toMatchObject({ tier: "pro", files: { total: 3 }, folders: 0 });
  });

  it("A logged-in user shares a folder, lists the shares and ends one", async () => {
    await run(person, ["folders", "create", "Party"]);
    await run(person, ["upload", "-f", "Party", "b.png"]);
    const [url = ""] = await run(person, ["share", "Party", "--title", "Our party", "--upload", "--max-files", "3"]);
    expect(await (await fetch(url)).text()).toContain("<bdi>b.png</bdi>");
    const terms = ["share", "root", "--password", "--expires", "7d", "--no-download", "--json"];
    const [made = "{}"] = await run(person, terms, "open sesame\n");
    const locked = JSON.parse(made);
    expect(locked).toMatchObject({ folderId: null, hasPassword: true, allowDownload: false, allowUpload: false });
    const days = (Date.parse(locked.expiresAt) - Date.now()) / (24 * 60 * 60 * 1000);
    expect(days).toBeCloseTo(7, 1);
    expect((await fetch(locked.url)).status).toBe(403);
    expect(await run(person, ["shares"])).toEqual([locked.url, url]);
    expect(await run(person, ["shares", "--long"])).toEqual([
      expect.stringMatching(/^\w{26} {2}http.* \[password, until \d{4}-.*\]$/),
      expect.stringMatching(/ {2}Our party {2}\[uploads: 0\]$/),
    ]);
    await run(person, ["unshare", url]);
    await run(person, ["unshare", locked._id]);
    expect((await fetch(url)).status).toBe(404);
    expect(await run(person, ["shares"])).toEqual([]);
    expect(await person.run(["unshare", url])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("404") });
    expect(await person.run(["share", "root", "-e", "soon"])).toMatchObject({ exitCode: 2, stdout: "" });
    await run(person, ["folders", "rm", "Party"]);
  });

  it("A logged-in user gets an error for an unknown folder and an unknown option", async () => {
    const folder = await person.run(["upload", "-f", "Nowhere", "a.png"]);
    expect(folder).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no folder "Nowhere"') });
    expect(await person.run(["upload", "--forlder", "a.png"])).toMatchObject({ exitCode: 2, stdout: "" });
  });

  it("A user is logged out after `logout`", async () => {
    const { session } = JSON.parse(await readFile(person.configPath, "utf8")) as { session: { token: string } };
    await run(person, ["logout"]);
    expect((await person.run(["ls"])).exitCode).toBe(3);
    const headers = { Authorization: `Bearer ${session.token}` };
    expect((await fetch(`${stack.baseUrl}/images`, { headers })).status).toBe(401);
  });
});

describe("upload keys", () => {
  it("An upload key uploads; any other command fails with the service's message", async () => {
    expect(await run(uploader, ["upload", "a.png"])).toHaveLength(1);
    const { exitCode, stderr } = await uploader.run(["ls"]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("403 API access requires Pro or Business tier");
  });

  it("An upload key can be stored by `login` or read from another program's configuration", async () => {
    const other = await CliUser.create();
    await run(other, ["login", "--key", "--host", stack.baseUrl], `${accounts.free.uploadKey}\n`);
    const [text = ""] = [(await run(other, ["config", "sharex"])).join("\n")];
    expect(JSON.parse(text)).toMatchObject({
      RequestURL: `${stack.baseUrl}/images/upload`,
      Headers: { Authorization: `Bearer ${accounts.free.uploadKey}` },
    });
    await run(other, ["config", "picgo", "-o", "picgo.json"]);
    expect((await stat(other.path("picgo.json"))).mode & 0o777).toBe(0o600);
    await other[Symbol.asyncDispose]();
  });

  it("A large file resumes after Ctrl-C and is stored once", async () => {
    const file = Buffer.concat([mp4(200), randomFillSync(Buffer.alloc(90 * MIB))]);
    await writeFile(uploader.path("film.mp4"), file);
    // An upload key cannot list.
    const logIn = await fetch(`${stack.baseUrl}/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: accounts.free.email, password: accounts.password }),
    });
    const headers = { Authorization: `Bearer ${((await logIn.json()) as { token: string }).token}` };
    const unfinished = async () => {
      const answer = await fetch(`${stack.baseUrl}/images/upload`, { headers });
      return ((await answer.json()) as { uploads: { _id: string; offset: number }[] }).uploads;
    };
    const child = uploader.start(["upload", "film.mp4"]);
    const ended = endOf(child);
    await expect
      .poll(async () => (await unfinished())[0]?.offset ?? 0, { timeout: 30_000, interval: 50 })
      .toBeGreaterThan(0);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ exitCode: 130, stdout: "" });
    const [begun] = await unfinished();
    expect(begun?.offset).toBeGreaterThan(0);

    const [url = ""] = await run(uploader, ["upload", "film.mp4"]);
    // This is the same upload, and there is no second one.
    expect(url).toContain(begun?._id ?? "none");
    expect(await unfinished()).toEqual([]);
    const hash = createHash("sha256").update(Buffer.from(await (await fetch(url)).arrayBuffer()));
    expect(hash.digest("hex")).toBe(createHash("sha256").update(file).digest("hex"));
    expect(await run(uploader, ["upload", "film.mp4"])).toEqual([url]);
  });
});
