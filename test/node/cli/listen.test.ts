import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CliUser, endOf } from "../../support/cli/run-cli.ts";

const KEY = `service_live_${"p".repeat(43)}`;

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A service with events and a program that receives them. */
class Stage implements AsyncDisposable {
  readonly events: { _id: string; type: string; timestamp: string; data: object }[] = [];
  readonly received: Received[] = [];
  /** Statuses of the next answers of the service; then it works. */
  readonly failures: number[] = [];
  readonly #service = createServer((request, response) => {
    const status = this.failures.shift() ?? 200;
    const url = new URL(request.url ?? "", "http://localhost");
    const isNow = url.searchParams.get("from") === "now";
    const from = isNow ? this.events.length : Number(url.searchParams.get("cursor") ?? 0);
    const body =
      status === 200
        ? {
            events: this.events.slice(from),
            pagination: { nextCursor: null },
            resumeCursor: String(this.events.length),
          }
        : { error: "It failed", statusCode: status, code: status === 401 ? "invalid_key" : "internal_error" };
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  /** The program breaks every connection. */
  isAway = false;
  readonly #receiver = createServer(async (request, response) => {
    if (this.isAway) return void request.socket.destroy();
    this.received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(204).end();
  });

  async open(): Promise<this> {
    for (const server of [this.#service, this.#receiver]) {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    }
    return this;
  }

  get env() {
    const { port } = this.#service.address() as AddressInfo;
    return { MEDIA_HOST_URL: `http://127.0.0.1:${port}`, MEDIA_HOST_KEY: KEY };
  }

  get hook(): string {
    return `http://127.0.0.1:${(this.#receiver.address() as AddressInfo).port}/hook`;
  }

  add(type: string, name: string): void {
    const data = { _id: String(this.events.length), originalFilename: name };
    this.events.push({ _id: `msg_${this.events.length}`, type, timestamp: new Date().toISOString(), data });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of [this.#service, this.#receiver]) {
      server.closeAllConnections();
      server.close();
    }
  }
}

let stage: Stage;
let user: CliUser;

beforeEach(async () => {
  stage = await new Stage().open();
  user = await CliUser.create(stage.env);
});
afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  await user?.[Symbol.asyncDispose]();
});

/** Runs `listen` until `until` is true, then presses Ctrl-C. */
async function listen(until: () => boolean, args: readonly string[] = [], begin = () => {}) {
  const child = user.start(["listen", "--forward-to", stage.hook, ...args]);
  const ended = endOf(child);
  child.stderr?.once("data", () => setTimeout(begin, 500));
  await expect.poll(until, { timeout: 20_000, interval: 50 }).toBe(true);
  // The place is stored after the page.
  await new Promise((resolve) => setTimeout(resolve, 200));
  child.kill("SIGINT");
  return ended;
}

describe("listen", () => {
  it("`listen` forwards new events, signed with the secret that it prints, and ends with Ctrl-C", async () => {
    stage.add("upload.completed", "old.png");
    const { exitCode, stdout, stderr } = await listen(
      () => stage.received.length === 1,
      [],
      () => stage.add("upload.completed", "new.png"),
    );
    expect(exitCode).toBe(130);
    expect(stdout).toMatch(/upload\.completed {2}new\.png {2}204/);
    const secret = /secret: (whsec_\S+)/.exec(stderr)?.[1] ?? "";
    const [received] = stage.received;
    expect(new Webhook(secret).verify(received?.body ?? "", received?.headers ?? {})).toMatchObject({
      type: "upload.completed",
      data: { originalFilename: "new.png" },
    });
    expect(received?.headers["webhook-id"]).toBe("msg_1");
  });

  it("`listen` continues where it ended, with the same secret, in a file that only its user can read", async () => {
    const first = await listen(
      () => stage.received.length === 1,
      [],
      () => stage.add("upload.completed", "a.png"),
    );
    stage.add("upload.completed", "b.png");
    const second = await listen(() => stage.received.length === 2);
    expect(stage.received.map(({ headers }) => headers["webhook-id"])).toEqual(["msg_0", "msg_1"]);
    const secretOf = ({ stderr }: { readonly stderr: string }) => /secret: (\S+)/.exec(stderr)?.[1];
    expect(secretOf(second)).toBe(secretOf(first));
    const folder = user.path("state", "media-host");
    const [name = ""] = (await readdir(folder)).filter((each) => each.startsWith("listen-"));
    expect((await stat(`${folder}/${name}`)).mode & 0o777).toBe(0o600);
    expect(await readFile(`${folder}/${name}`, "utf8")).not.toContain(KEY);
  });

  it("`listen` waits for a program that does not answer, and loses nothing", async () => {
    stage.isAway = true;
    const { stderr } = await listen(
      () => stage.received.length === 2,
      [],
      () => {
        stage.add("upload.completed", "a.png");
        stage.add("image.deleted", "b.png");
        setTimeout(() => {
          stage.isAway = false;
        }, 2000);
      },
    );
    expect(stderr).toContain("does not answer, trying again");
    expect(stage.received.map(({ headers }) => headers["webhook-id"])).toEqual(["msg_0", "msg_1"]);
  });

  it("`listen --event` forwards only events of that type", async () => {
    await listen(
      () => stage.received.length === 1,
      ["--event", "image.deleted"],
      () => {
        stage.add("upload.completed", "a.png");
        stage.add("image.deleted", "a.png");
      },
    );
    expect(stage.received.map(({ headers }) => headers["webhook-id"])).toEqual(["msg_1"]);
  });

  it("`listen` ends at a refused key, and needs an address", async () => {
    stage.failures.push(...Array(10).fill(401));
    expect(await user.run(["listen", "--forward-to", stage.hook])).toMatchObject({ exitCode: 3 });
    expect(await user.run(["listen"])).toMatchObject({ exitCode: 2 });
    expect(await user.run(["listen", "--forward-to", "ftp://x"])).toMatchObject({ exitCode: 2 });
  });
});
