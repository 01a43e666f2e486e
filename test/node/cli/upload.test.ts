import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { appendFile, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeService } from "../../support/cli/fake-service.ts";
import { CliUser, endOf } from "../../support/cli/run-cli.ts";

// `media-host upload` against a service that only takes forms: the files it finds, sends and skips, and its messages.

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

/** A file that was last changed long ago. */
async function put(name: string, content: string | Buffer = `content of ${name}`): Promise<void> {
  await mkdir(user.path(name, ".."), { recursive: true });
  await writeFile(user.path(name), content);
  await utimes(user.path(name), OLD, OLD);
}

const sentNames = () => service.sent.map(({ name }) => name).sort();
const lines = (text: string) => text.split("\n").filter(Boolean);

describe("files to send", () => {
  it("Standard output has one URL a line, in the order of the arguments, for any duration of an upload", async () => {
    for (const name of ["slow.jpg", "b.jpg", "a.jpg"]) await put(name);
    service.onForm = (name) => (name === "slow.jpg" ? new Promise((done) => setTimeout(done, 500)) : undefined);
    const { exitCode, stdout } = await user.run(["upload", "slow.jpg", "b.jpg", "a.jpg"]);
    expect(exitCode).toBe(0);
    expect(lines(stdout).map((url) => url.replace(/.*-/, ""))).toEqual(["slow.jpg", "b.jpg", "a.jpg"]);
    expect(service.sent.at(-1)?.name).toBe("slow.jpg");
  });

  it("Each file arrives byte for byte under its name, even an unusual name", async () => {
    const names = ["größe €.jpg", "a;b, c'd%20e.jpg", "日本.png", "#?&.gif", "-dash.jpg"];
    for (const name of names) await put(name);
    const { exitCode } = await user.run(["upload", "--", ...names]);
    expect(exitCode).toBe(0);
    expect(sentNames()).toEqual([...names].sort());
    const digests = names.map((name) => createHash("sha256").update(`content of ${name}`).digest("hex"));
    expect(service.sent.map(({ sha256 }) => sha256).sort()).toEqual(digests.sort());
  });

  it("A folder argument sends the files with names of images and videos, in subfolders with `--recursive`", async () => {
    for (const name of ["in/a.JPG", "in/b.txt", "in/.hidden.jpg", "in/deep/c.mov"]) await put(name);
    const flat = await user.run(["upload", "in"]);
    expect(sentNames()).toEqual(["a.JPG"]);
    expect(flat.stderr).toContain("in/b.txt: neither image nor video by its name");
    expect(flat.stderr).toContain("in/deep: a folder in a folder");
    await user.run(["upload", "-r", "--hidden", "--all", "in"]);
    expect(sentNames()).toEqual([".hidden.jpg", "a.JPG", "b.txt", "c.mov"]);
  });

  it("A quoted pattern is expanded; brackets in the name of an existing file are no pattern", async () => {
    for (const name of ["p/a1.jpg", "p/a2.jpg", "p/b1.jpg", "p/q/a3.jpg", "[x].jpg"]) await put(name);
    await user.run(["upload", "p/**/a[0-9].jpg", "[x].jpg"]);
    expect(sentNames()).toEqual(["[x].jpg", "a1.jpg", "a2.jpg", "a3.jpg"]);
    const none = await user.run(["upload", "p/*.webm"]);
    expect(none).toMatchObject({ exitCode: 1, stdout: "" });
    expect(none.stderr).toContain("p/*.webm: no file has such a name");
  });

  it("Links to files are followed, and a circle of folder links ends", async () => {
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

  it.runIf(process.platform === "linux")("Files whose names are not UTF-8 are sent", async () => {
    await mkdir(user.path("in"));
    await writeFile(
      Buffer.concat([Buffer.from(`${user.path("in")}/caf`), Buffer.from([0xe9]), Buffer.from(".jpg")]),
      "x",
    );
    const { exitCode } = await user.run(["upload", "in"]);
    expect(exitCode).toBe(0);
    expect(sentNames()).toEqual(["café.jpg"]);
  });

  it("Standard input and pipes are sent under the given name", async () => {
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

describe("known files", () => {
  it("A known file is neither read nor sent again, and its URL is printed again", async () => {
    for (const name of ["a.jpg", "b.jpg"]) await put(name);
    const first = await user.run(["upload", "a.jpg", "b.jpg"]);
    // The file cannot be read now: only its size and time of change are available.
    if (process.getuid?.() !== 0) execFileSync("chmod", ["000", user.path("a.jpg")]);
    const second = await user.run(["upload", "a.jpg", "b.jpg"]);
    expect(second).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(service.sent).toHaveLength(2);
    expect(second.stderr).toContain("there already: a.jpg");
  });

  it("A known file is recognised by its content: under another name, twice in a run, or touched", async () => {
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

  it("A known file is sent again if it changed, if the service lost it, and with `--force`", async () => {
    await put("a.jpg", "one");
    await user.run(["upload", "a.jpg"]);
    await put("a.jpg", "two");
    // The file has the same size and was changed within the same moment.
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

  it("A known file belongs to its account: the key of another account uploads its own copy", async () => {
    await put("a.jpg");
    service.accounts.set("other", "01kb3w2qjx0000000000000001");
    await user.run(["upload", "a.jpg"]);
    const { stdout } = await user.run(["upload", "a.jpg"], { env: { MEDIA_HOST_KEY: "other" } });
    expect(service.sent).toHaveLength(2);
    expect(stdout).toContain("01kb3w2qjx0000000000000001");
  });

  it("The state file still works after a crash cut it off", async () => {
    for (const name of ["a.jpg", "b.jpg"]) await put(name);
    await user.run(["upload", "a.jpg"]);
    await appendFile(user.statePath, '\n{"host":"http://');
    await user.run(["upload", "b.jpg"]);
    await user.run(["upload", "a.jpg", "b.jpg"]);
    expect(service.sent).toHaveLength(2);
    expect(await readFile(user.statePath, "utf8")).not.toContain(KEY);
  });

  it("A file is uploaded even if the state file cannot be written", async () => {
    await put("a.jpg");
    await put("state");
    const { exitCode, stdout, stderr } = await user.run(["upload", "a.jpg"]);
    expect({ exitCode, urls: lines(stdout).length }).toEqual({ exitCode: 0, urls: 1 });
    expect(stderr).toContain("not remembered as uploaded: a.jpg");
  });

  it("`--dry-run` lists the files to send and sends nothing", async () => {
    for (const name of ["a.jpg", "b.jpg"]) await put(name);
    await user.run(["upload", "a.jpg"]);
    const { exitCode, stderr } = await user.run(["upload", "-n", "a.jpg", "b.jpg"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("there already: a.jpg");
    expect(stderr).toContain("would be sent: b.jpg");
    expect(service.sent).toHaveLength(1);
  });
});

describe("failures", () => {
  it("A failed file is named with the service's message, the others are sent, and the exit code is 1", async () => {
    for (const name of ["a.jpg", "bad.jpg", "c.jpg"]) await put(name);
    service.refuse = ({ name }) =>
      name === "bad.jpg"
        ? {
            status: 415,
            error: "Only images and videos are allowed",
            code: "unsupported_media_type",
            details: { detected: "text/plain" },
          }
        : undefined;
    const { exitCode, stdout, stderr } = await user.run(["upload", "a.jpg", "bad.jpg", "c.jpg", "missing.jpg"]);
    expect(exitCode).toBe(1);
    expect(lines(stdout)).toHaveLength(2);
    expect(stderr).toContain('failed: bad.jpg: 415 Only images and videos are allowed {"detected":"text/plain"}');
    expect(stderr).toContain("failed: missing.jpg: there is no such file");
    const json = await user.run(["upload", "--json", "a.jpg", "bad.jpg"]);
    expect(lines(json.stdout).map((line) => JSON.parse(line))).toMatchObject([
      { path: "a.jpg", status: "known", url: expect.stringContaining(service.url) },
      {
        path: "bad.jpg",
        status: "failed",
        statusCode: 415,
        code: "unsupported_media_type",
        details: { detected: "text/plain" },
      },
    ]);
  });

  it("A run waits when the minute's limit is reached; the month's limit ends it", async () => {
    for (const name of ["a.jpg", "b.jpg", "c.jpg"]) await put(name);
    let refusals = 0;
    const details = { reason: "rate", retryAfter: 1 };
    service.refuse = () => (refusals++ === 0 ? { status: 429, error: "slow", details, retryAfter: 1 } : undefined);
    expect((await user.run(["upload", "a.jpg"])).exitCode).toBe(0);
    service.refuse = () => ({
      status: 429,
      error: "Monthly operations limit reached",
      code: "operations_exhausted",
      retryAfter: 86_400,
    });
    const { exitCode, stderr } = await user.run(["upload", "-c", "1", "b.jpg", "c.jpg"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("b.jpg: 429 Monthly operations limit reached");
    expect(service.asked.filter((asked) => asked.startsWith("POST"))).toHaveLength(3);
  });

  it("When the storage is full, only smaller files are still tried", async () => {
    await put("a-large.jpg", "x".repeat(5000));
    await put("b-larger.jpg", "y".repeat(6000));
    await put("c-small.jpg", "z");
    const error = "Storage limit exceeded. You've used 1 GB of 1 GB.";
    service.refuse = ({ name }) =>
      name === "c-small.jpg" ? undefined : { status: 413, error, code: "storage_limit_exceeded" };
    const { exitCode, stderr } = await user.run(["upload", "-c", "1", "."]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`failed: ./b-larger.jpg: 413 ${error}`);
    expect(sentNames()).toEqual(["c-small.jpg"]);
    expect(service.asked.filter((asked) => asked.startsWith("POST"))).toHaveLength(2);
  });

  it("A refused key ends the run with exit code 3", async () => {
    for (const name of ["a.jpg", "b.jpg"]) await put(name);
    service.refuse = () => ({ status: 401, error: "Invalid or missing API key", code: "invalid_key" });
    const { exitCode, stderr } = await user.run(["upload", "-c", "1", "a.jpg", "b.jpg"]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("401 Invalid or missing API key");
    expect(service.asked).toHaveLength(1);
  });

  it("A refusal of one file with the status of a refused key does not stop the others", async () => {
    for (const name of ["a.jpg", "b.jpg"]) await put(name);
    service.refuse = ({ name }) =>
      name === "a.jpg" ? { status: 403, error: "Blocked", code: "image_not_yours" } : undefined;
    const { exitCode, stderr } = await user.run(["upload", "-c", "1", "a.jpg", "b.jpg"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("failed: a.jpg: 403 Blocked");
    expect(sentNames()).toEqual(["b.jpg"]);
  });

  it("A key without a scope ends `rm` with exit code 3 and a message about the remedy; an unknown image does not", async () => {
    const [id, other] = ["01kb3w2qjx0000000000000001", "01kb3w2qjx0000000000000002"];
    service.refuse = ({ path }) =>
      path.endsWith(id) ? { status: 404, error: "Image not found", code: "image_not_found" } : undefined;
    const unknown = await user.run(["rm", "--forever", id]);
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`failed: ${id}: 404`) });
    service.refuse = () => ({ status: 403, error: "The API key lacks a required scope", code: "scope_required" });
    const refused = await user.run(["rm", "--forever", id, other]);
    expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("media-host login") });
    expect(service.asked.filter((asked) => asked.endsWith(other))).toEqual([]);
  });

  it("A file that changes or vanishes while it is sent is named and not recorded as known", async () => {
    await put("a.jpg", Buffer.alloc(15 * 1024 * 1024, 1));
    await put("b.jpg", Buffer.alloc(15 * 1024 * 1024, 2));
    const change = async (name: string) => {
      if (name === "a.jpg") await appendFile(user.path("a.jpg"), "more");
      else await rm(user.path("b.jpg"));
    };
    // The service delays the last piece.
    service.refuse = ({ name }) => ({ status: 503, error: `away for ${name}`, retryAfter: 0 });
    service.onForm = change;
    const { exitCode, stderr } = await user.run(["upload", "a.jpg", "b.jpg"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("failed: a.jpg: it changed while it was sent");
    expect(stderr).toContain("failed: b.jpg: it vanished while it was sent");
  });
});

describe("end of a run", () => {
  it("`media-host upload` stops when its output is closed", async () => {
    for (let at = 0; at < 30; at += 1) await put(`${at}.jpg`);
    const child = user.start(["upload", "-c", "1", "."]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    const [exitCode] = await once(child, "exit");
    expect(exitCode).toBe(141);
    expect(service.sent.length).toBeLessThan(30);
  });

  it("Ctrl-C ends the run with 130, and a message names the command that resumes it", async () => {
    for (let at = 0; at < 5; at += 1) await put(`${at}.jpg`);
    service.onForm = (name) => (name === "2.jpg" ? new Promise(() => undefined) : undefined);
    const child = user.start(["upload", "-c", "1", "."]);
    child.stdout?.once("data", () => setTimeout(() => child.kill("SIGINT"), 300));
    const { exitCode, stderr } = await endOf(child);
    expect(exitCode).toBe(130);
    expect(stderr).toContain("the same command continues");
    service.onForm = () => undefined;
    expect((await user.run(["upload", "."])).exitCode).toBe(0);
    expect(sentNames()).toEqual(["0.jpg", "1.jpg", "2.jpg", "3.jpg", "4.jpg"]);
  });
});
