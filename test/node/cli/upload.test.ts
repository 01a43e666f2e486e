import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { appendFile, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeService } from "../../support/cli/fake-service.ts";
import { CliUser, endOf } from "../../support/cli/run-cli.ts";

// `media-host upload`, against a service that only takes forms: what is found, what is sent, what is skipped, what is said.

const KEY = `service_upload_${"k".repeat(43)}`;
const OLD = new Date("2026-01-01");

let service: FakeService;
let user: CliUser;

beforeEach(async () => {
  service = await FakeService.start();
  user = await CliUser.create({ MEDIA_HOST_URL: service.url, MEDIA_HOST_KEY: KEY });
});
afterEach(async () => {
  await service?.[Symbol.asyncDispose]();
  await user?.[Symbol.asyncDispose]();
});

/** A file that has not been touched for long. */
async function put(name: string, content: string | Buffer = `content of ${name}`): Promise<void> {
  await mkdir(user.path(name, ".."), { recursive: true });
  await writeFile(user.path(name), content);
  await utimes(user.path(name), OLD, OLD);
}

const sentNames = () => service.sent.map(({ name }) => name).sort();
const lines = (text: string) => text.split("\n").filter(Boolean);

describe("what is sent", () => {
  it("one URL a line, in the order of the arguments, however long each takes", async () => {
    for (const name of ["slow.jpg", "b.jpg", "a.jpg"]) await put(name);
    service.onForm = (name) => (name === "slow.jpg" ? new Promise((done) => setTimeout(done, 500)) : undefined);
    const { exitCode, stdout } = await user.run(["upload", "slow.jpg", "b.jpg", "a.jpg"]);
    expect(exitCode).toBe(0);
    expect(lines(stdout).map((url) => url.replace(/.*-/, ""))).toEqual(["slow.jpg", "b.jpg", "a.jpg"]);
    expect(service.sent.at(-1)?.name).toBe("slow.jpg");
  });

  it("the very bytes of each file, under its name, whatever that is", async () => {
    const names = ["größe €.jpg", "a;b, c'd%20e.jpg", "日本.png", "#?&.gif", "-dash.jpg"];
    for (const name of names) await put(name);
    const { exitCode } = await user.run(["upload", "--", ...names]);
    expect(exitCode).toBe(0);
    expect(sentNames()).toEqual([...names].sort());
    const digests = names.map((name) => createHash("sha256").update(`content of ${name}`).digest("hex"));
    expect(service.sent.map(({ sha256 }) => sha256).sort()).toEqual(digests.sort());
  });

  it("of a folder what is image or video by its name, and of folders in it with --recursive", async () => {
    for (const name of ["in/a.JPG", "in/b.txt", "in/.hidden.jpg", "in/deep/c.mov"]) await put(name);
    const flat = await user.run(["upload", "in"]);
    expect(sentNames()).toEqual(["a.JPG"]);
    expect(flat.stderr).toContain("in/b.txt: neither image nor video by its name");
    expect(flat.stderr).toContain("in/deep: a folder in a folder");
    await user.run(["upload", "-r", "--hidden", "--all", "in"]);
    expect(sentNames()).toEqual([".hidden.jpg", "a.JPG", "b.txt", "c.mov"]);
  });

  it("what a pattern matches that the shell left alone; brackets of a name that is there are no pattern", async () => {
    for (const name of ["p/a1.jpg", "p/a2.jpg", "p/b1.jpg", "p/q/a3.jpg", "[x].jpg"]) await put(name);
    await user.run(["upload", "p/**/a[0-9].jpg", "[x].jpg"]);
    expect(sentNames()).toEqual(["[x].jpg", "a1.jpg", "a2.jpg", "a3.jpg"]);
    const none = await user.run(["upload", "p/*.webm"]);
    expect(none).toMatchObject({ exitCode: 1, stdout: "" });
    expect(none.stderr).toContain("p/*.webm: no file has such a name");
  });

  it("links to files, and no walk that goes round in a circle", async () => {
    await put("real.jpg");
    await mkdir(user.path("in"));
    await symlink("../real.jpg", user.path("in/link.jpg"));
    await symlink("..", user.path("in/up"));
    await symlink("gone.jpg", user.path("in/broken.jpg"));
    await symlink("loop.jpg", user.path("in/loop.jpg"));
    const { exitCode, stdout, stderr } = await user.run(["upload", "-r", "in"]);
    expect({ exitCode, urls: lines(stdout).length, names: sentNames() }).toEqual({
      exitCode: 1,
      urls: 1,
      names: ["link.jpg"],
    });
    expect(stderr).toContain("in/broken.jpg: a link that leads nowhere");
    expect(stderr).toContain("in/loop.jpg: its links go round in a circle");
  });

  it.runIf(process.platform === "linux")("files whose names are no UTF-8", async () => {
    await mkdir(user.path("in"));
    await writeFile(
      Buffer.concat([Buffer.from(`${user.path("in")}/caf`), Buffer.from([0xe9]), Buffer.from(".jpg")]),
      "x",
    );
    const { exitCode } = await user.run(["upload", "in"]);
    expect(exitCode).toBe(0);
    expect(sentNames()).toEqual(["café.jpg"]);
  });

  it("standard input and pipes, under the name that is given", async () => {
    const { exitCode, stdout } = await user.run(["upload", "--name", "shot.png", "-"], { input: "picture" });
    expect(exitCode).toBe(0);
    expect(lines(stdout)).toHaveLength(1);
    expect(service.sent).toMatchObject([{ name: "shot.png", sizeBytes: 7 }]);
    const pipe = user.path("pipe");
    execFileSync("mkfifo", [pipe]);
    const uploading = user.run(["upload", "pipe"]);
    await writeFile(pipe, "from a pipe");
    expect((await uploading).exitCode).toBe(0);
    expect(service.sent).toHaveLength(2);
  });
});

describe("what is there already", () => {
  it("is not sent again, nor read, and its URL is written again", async () => {
    for (const name of ["a.jpg", "b.jpg"]) await put(name);
    const first = await user.run(["upload", "a.jpg", "b.jpg"]);
    // Its bytes cannot be read: only its size and time of change are looked at.
    if (process.getuid?.() !== 0) execFileSync("chmod", ["000", user.path("a.jpg")]);
    const second = await user.run(["upload", "a.jpg", "b.jpg"]);
    expect(second).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(service.sent).toHaveLength(2);
    expect(second.stderr).toContain("there already: a.jpg");
  });

  it("is known by its content: under another name, twice in one run, and touched", async () => {
    await put("a.jpg", "same");
    await put("twin.jpg", "same");
    const first = await user.run(["upload", "a.jpg", "twin.jpg"]);
    expect(new Set(lines(first.stdout)).size).toBe(1);
    await rename(user.path("a.jpg"), user.path("moved.jpg"));
    await utimes(user.path("twin.jpg"), new Date(), new Date());
    const second = await user.run(["upload", "moved.jpg", "twin.jpg"]);
    expect(second.stdout).toBe(first.stdout);
    expect(service.sent).toHaveLength(1);
  });

  it("is sent again where it changed, where the service has it no more, and with --force", async () => {
    await put("a.jpg", "one");
    await user.run(["upload", "a.jpg"]);
    await put("a.jpg", "two");
    // The same size, and within the same moment.
    await utimes(user.path("a.jpg"), new Date(), new Date());
    await user.run(["upload", "a.jpg"]);
    expect(service.sent).toHaveLength(2);
    service.forgetFiles();
    const again = await user.run(["upload", "a.jpg"]);
    expect(again.exitCode).toBe(0);
    expect(service.sent).toHaveLength(3);
    await user.run(["upload", "--force", "a.jpg"]);
    expect(service.sent).toHaveLength(4);
  });

  it("belongs to its account: another key's account gets its own", async () => {
    await put("a.jpg");
    service.accounts.set("other", "01kb3w2qjx0000000000000001");
    await user.run(["upload", "a.jpg"]);
    const { stdout } = await user.run(["upload", "a.jpg"], { env: { MEDIA_HOST_KEY: "other" } });
    expect(service.sent).toHaveLength(2);
    expect(stdout).toContain("01kb3w2qjx0000000000000001");
  });

  it("survives a state file that a crash cut", async () => {
    for (const name of ["a.jpg", "b.jpg"]) await put(name);
    await user.run(["upload", "a.jpg"]);
    await appendFile(user.statePath, '\n{"host":"http://');
    await user.run(["upload", "b.jpg"]);
    await user.run(["upload", "a.jpg", "b.jpg"]);
    expect(service.sent).toHaveLength(2);
    expect(await readFile(user.statePath, "utf8")).not.toContain(KEY);
  });

  it("is stored also where this machine cannot write down that it is", async () => {
    await put("a.jpg");
    await put("state");
    const { exitCode, stdout, stderr } = await user.run(["upload", "a.jpg"]);
    expect({ exitCode, urls: lines(stdout).length }).toEqual({ exitCode: 0, urls: 1 });
    expect(stderr).toContain("not remembered as uploaded: a.jpg");
  });

  it("--dry-run says what would be sent, and sends nothing", async () => {
    for (const name of ["a.jpg", "b.jpg"]) await put(name);
    await user.run(["upload", "a.jpg"]);
    const { exitCode, stderr } = await user.run(["upload", "-n", "a.jpg", "b.jpg"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("there already: a.jpg");
    expect(stderr).toContain("would be sent: b.jpg");
    expect(service.sent).toHaveLength(1);
  });
});

describe("what fails", () => {
  it("is named with the service's words, takes nothing with it, and makes the exit code 1", async () => {
    for (const name of ["a.jpg", "bad.jpg", "c.jpg"]) await put(name);
    service.refuse = ({ name }) =>
      name === "bad.jpg"
        ? { status: 415, error: "Only images and videos are allowed", details: { detected: "text/plain" } }
        : undefined;
    const { exitCode, stdout, stderr } = await user.run(["upload", "a.jpg", "bad.jpg", "c.jpg", "missing.jpg"]);
    expect(exitCode).toBe(1);
    expect(lines(stdout)).toHaveLength(2);
    expect(stderr).toContain('failed: bad.jpg: 415 Only images and videos are allowed {"detected":"text/plain"}');
    expect(stderr).toContain("failed: missing.jpg: there is no such file");
    const json = await user.run(["upload", "--json", "a.jpg", "bad.jpg"]);
    expect(lines(json.stdout).map((line) => JSON.parse(line))).toMatchObject([
      { path: "a.jpg", status: "known", url: expect.stringContaining(service.url) },
      { path: "bad.jpg", status: "failed", statusCode: 415, details: { detected: "text/plain" } },
    ]);
  });

  it("a limit of the minute is waited for; the month's ends the run", async () => {
    for (const name of ["a.jpg", "b.jpg", "c.jpg"]) await put(name);
    let refusals = 0;
    const details = { reason: "rate", retryAfter: 1 };
    service.refuse = () => (refusals++ === 0 ? { status: 429, error: "slow", details, retryAfter: 1 } : undefined);
    expect((await user.run(["upload", "a.jpg"])).exitCode).toBe(0);
    service.refuse = () => ({ status: 429, error: "Monthly operations limit reached", retryAfter: 86_400 });
    const { exitCode, stderr } = await user.run(["upload", "-c", "1", "b.jpg", "c.jpg"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("b.jpg: 429 Monthly operations limit reached");
    expect(service.asked.filter((asked) => asked.startsWith("POST"))).toHaveLength(3);
  });

  it("where the storage is full, what is no smaller is not tried, and smaller files are", async () => {
    await put("a-large.jpg", "x".repeat(5000));
    await put("b-larger.jpg", "y".repeat(6000));
    await put("c-small.jpg", "z");
    const error = "Storage limit exceeded. You've used 1 GB of 1 GB.";
    service.refuse = ({ name }) =>
      name === "c-small.jpg" ? undefined : { status: 413, error, details: { usedBytes: 1, limitBytes: 1 } };
    const { exitCode, stderr } = await user.run(["upload", "-c", "1", "."]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`failed: ./b-larger.jpg: 413 ${error}`);
    expect(sentNames()).toEqual(["c-small.jpg"]);
    expect(service.asked.filter((asked) => asked.startsWith("POST"))).toHaveLength(2);
  });

  it("a key that is refused ends the run with exit code 3", async () => {
    for (const name of ["a.jpg", "b.jpg"]) await put(name);
    service.refuse = () => ({ status: 401, error: "Invalid or missing API key" });
    const { exitCode, stderr } = await user.run(["upload", "-c", "1", "a.jpg", "b.jpg"]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("401 Invalid or missing API key");
    expect(service.asked).toHaveLength(1);
  });

  it("a file that changes or vanishes while it is sent is named, and not taken for known", async () => {
    await put("a.jpg", Buffer.alloc(15 * 1024 * 1024, 1));
    await put("b.jpg", Buffer.alloc(15 * 1024 * 1024, 2));
    const change = async (name: string) => {
      if (name === "a.jpg") await appendFile(user.path("a.jpg"), "more");
      else await rm(user.path("b.jpg"));
    };
    // It is the last piece that the service waits for.
    service.refuse = ({ name }) => ({ status: 503, error: `away for ${name}`, retryAfter: 0 });
    service.onForm = change;
    const { exitCode, stderr } = await user.run(["upload", "a.jpg", "b.jpg"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("failed: a.jpg: it changed while it was sent");
    expect(stderr).toContain("failed: b.jpg: it vanished while it was sent");
  });
});

describe("how it ends", () => {
  it("with nobody to read what it writes, it stops", async () => {
    for (let at = 0; at < 30; at += 1) await put(`${at}.jpg`);
    const child = user.start(["upload", "-c", "1", "."]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    const [exitCode] = await once(child, "exit");
    expect(exitCode).toBe(141);
    expect(service.sent.length).toBeLessThan(30);
  });

  it("Ctrl-C ends it with 130, and says that the same command goes on", async () => {
    for (let at = 0; at < 5; at += 1) await put(`${at}.jpg`);
    service.onForm = (name) => (name === "2.jpg" ? new Promise(() => undefined) : undefined);
    const child = user.start(["upload", "-c", "1", "."]);
    child.stdout?.once("data", () => setTimeout(() => child.kill("SIGINT"), 300));
    const { exitCode, stderr } = await endOf(child);
    expect(exitCode).toBe(130);
    expect(stderr).toContain("the same command goes on");
    service.onForm = () => undefined;
    expect((await user.run(["upload", "."])).exitCode).toBe(0);
    expect(sentNames()).toEqual(["0.jpg", "1.jpg", "2.jpg", "3.jpg", "4.jpg"]);
  });
});
