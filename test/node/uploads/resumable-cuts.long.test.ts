import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBusinessAccount } from "../../bench/support/account.ts";
import { findWorkerd } from "../../bench/support/memory.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";
import { mp4 } from "../../support/media/samples.ts";
import { type Stack, startApi } from "../../support/stack/miniflare.ts";
import { type Cut, cutPatch, hangUp, tusCall } from "../../support/uploads/cut-upload.ts";
import { storedObjects } from "../../support/uploads/stored-objects.ts";

// Connections that end at any byte in any way, and killed processes. The stored bytes are always the same.

const MIB = 1024 * 1024;
const PART = 8 * MIB;
const CUTS = Number(process.env.CUTS ?? 25);
const KINDS: readonly Cut[] = ["fin", "fin", "rst", "rst", "silence", "lost", "none"];

let stateDir: string;
let stack: Stack;
let headers: Record<string, string>;

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "media-host-cuts-"));
  stack = await startApi({}, { stateDir });
  headers = (await openBusinessAccount(stack.url)).client.headers as Record<string, string>;
});

afterAll(async () => {
  hangUp();
  await stack?.[Symbol.asyncDispose]();
  await rm(stateDir, { recursive: true, force: true });
});

/** The address changes with a restart. */
function target() {
  return { url: stack.url, token: (headers.Authorization ?? "").replace("Bearer ", "") };
}

async function kill(): Promise<void> {
  process.kill(await findWorkerd(), "SIGKILL");
  await Promise.resolve(stack[Symbol.asyncDispose]()).catch(() => undefined);
  stack = await startApi({}, { stateDir });
}

/** The test asks as often as a client would. */
async function offsetOf(path: string): Promise<number> {
  for (let count = 0; ; count++) {
    const answer = await tusCall(target(), "HEAD", path).catch(() => undefined);
    if (answer?.status === 200) return Number(answer.headers["upload-offset"]);
    if (count === 30) throw new Error(`HEAD answered ${answer?.status}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

it("A file that is repeatedly cut, killed and resumed is stored once, byte for byte", async () => {
  const next01 = seededRandom(Number(process.env.CUT_SEED ?? 7));
  const random = (below: number) => Math.floor(next01() * below);
  const made = { cuts: 0, kills: 0, files: 0, behindAfterFin: 0 };
  while (made.cuts < CUTS) {
    const bytes = Buffer.from(mp4(1000 + random(28 * MIB), 1 + random(1_000_000)));
    const created = await tusCall(target(), "POST", "/images/upload", { "Upload-Length": String(bytes.length) });
    expect(created.status).toBe(201);
    const path = created.headers.location ?? "";
    let offset = 0;
    let last = 0;
    while (offset < bytes.length) {
      const cut = KINDS[random(KINDS.length)] ?? "none";
      const cutAt = random(bytes.length - offset);
      const isKilled = cut !== "none" && random(12) === 0;
      const answer = await cutPatch(target(), path, { bytes, offset, cut, cutAt }).catch(() => undefined);
      if (answer !== undefined) expect([200, 204, 409, 423]).toContain(answer.status);
      if (cut !== "none") made.cuts += 1;
      if (isKilled) {
        await kill();
        made.kills += 1;
      } else if (cut === "fin" && random(2) === 0) {
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      const next = await offsetOf(path);
      expect(next).toBeGreaterThanOrEqual(last);
      if (cut === "fin" && !isKilled) {
        const behind = Math.max(0, offset + cutAt - next);
        made.behindAfterFin = Math.max(made.behindAfterFin, behind);
      }
      offset = next;
      last = next;
    }
    const shown = await tusCall(target(), "GET", path);
    const result = JSON.parse(shown.body);
    expect(result).toMatchObject({ fileSize: bytes.length });
    const file = await fetch(new URL(new URL(result.url).pathname, stack.url));
    const hash = createHash("sha256")
      .update(Buffer.from(await file.arrayBuffer()))
      .digest("hex");
    expect(hash).toBe(createHash("sha256").update(bytes).digest("hex"));
    made.files += 1;
    const deleted = await fetch(new URL(`/images/${result._id}`, stack.url), { method: "DELETE", headers });
    expect(deleted.status).toBe(200);
  }
  process.stderr.write(`${JSON.stringify(made)}\n`);
  expect(made.behindAfterFin).toBeLessThanOrEqual(PART);
  const listed = await tusCall(target(), "GET", "/images/upload");
  expect(JSON.parse(listed.body)).toMatchObject({ uploads: [] });
  await stack[Symbol.asyncDispose]();
  expect((await storedObjects(stateDir)).objects).toEqual([]);
  stack = await startApi({}, { stateDir });
}, 3_600_000);
