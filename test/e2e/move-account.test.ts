import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { png } from "../support/media/samples.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";

// The operator moves a library to the other shard and back, and the stack is repeatedly killed in the middle.

const TIMEOUT_SECONDS = 2;
const REQUESTS = 6;
const FILES = 50;
/** The milliseconds count from the start of the operator's program. */
const KILLED_AFTER_MS = [400, 900];

let stack: Stack;
let email: string;
let key: string;

beforeAll(async () => {
  stack = await Stack.start({ INTENT_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) });
  const { pro } = await stack.demoAccounts();
  ({ email, apiKey: key } = pro);
  await stack.admin("set-tier", email, "business");
  await writeFile(join(stack.stateDir, "a.png"), png(1, 1, 2000));
  const file = ["-F", `file=@${join(stack.stateDir, "a.png")}`];
  for (let request = 0; request < REQUESTS; request++) {
    const files = Array.from({ length: FILES }, () => file).flat();
    const answer = await curl(...auth(), "-F", `tags=t${request}`, ...files, `${stack.baseUrl}/images/upload`);
    expect(answer.status).toBe(201);
  }
});

afterAll(async () => {
  await stack?.dispose();
});

const auth = () => ["-H", `Authorization: Bearer ${key}`];
/** Every item, and the figures, as a client sees them. */
async function seen() {
  const images: object[] = [];
  for (let page = 1; page <= (REQUESTS * FILES) / 100; page++) {
    const list = await curl(...auth(), `${stack.baseUrl}/images?status=all&limit=100&page=${page}`);
    expect(list.status).toBe(200);
    images.push(...list.json<{ images: object[] }>().images);
  }
  const tagged = await curl(...auth(), `${stack.baseUrl}/images?folderId=all&tags=t3&limit=1`);
  const { files, storage } = (await curl(...auth(), `${stack.baseUrl}/stats/overview`)).json<{
    files: object;
    storage: object;
  }>();
  return { images, tagged: tagged.json<{ pagination: { total: number } }>().pagination.total, files, storage };
}

const shardOf = async () => /shard: '(\d\d)'/.exec(await stack.admin("show", email))?.[1];

it("A library is complete after every kill during its move, and continues to its target", async () => {
  const before = await seen();
  expect(before).toMatchObject({ tagged: FILES, files: { total: REQUESTS * FILES } });
  for (const killedAfterMs of KILLED_AFTER_MS) {
    const to = (await shardOf()) === "00" ? "01" : "00";
    const operator = spawn(process.execPath, ["src/cli/admin.ts", "move-account", email, to], {
      env: { ...process.env, BASE_URL: stack.baseUrl },
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => operator.once("exit", resolve));
    await sleep(killedAfterMs);
    await stack.kill();
    operator.kill("SIGKILL");
    await ended;
    await stack.restart();
    expect(await seen()).toEqual(before);
    expect(await stack.admin("move-account", email, to)).toContain(`${email} is in shard ${to}`);
    expect([await shardOf(), await seen()]).toEqual([to, before]);
    // The next move begins when the old rows have been deleted.
    await expect.poll(() => stack.admin("move-account", email, to).catch(String), { timeout: 20_000 }).toContain(to);
  }
}, 300_000);

it("A closed shard gets no new account, and the operator's wrong commands get an error", async () => {
  await stack.admin("close-shard", "00");
  expect(await stack.admin("shards")).toMatch(/'00'\s*│\s*false/);
  await stack.admin("open-shard", "00");
  await expect(stack.admin("move-account", email, "42")).rejects.toThrow(/Shard not found/);
  await expect(stack.admin("move-account", "nobody@example.com", "00")).rejects.toThrow(/Account not found/);
});
