import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { expectConsistent, readMeter, replayIntents } from "../support/api/account-state.ts";
import { BASE_URL, bearer, openProAccount } from "../support/api/api.ts";
import { faultyEnv } from "../support/faults/faulty-env.ts";
import { seededRandom } from "../support/jpeg/seeded-random.ts";
import { mp4, png } from "../support/media/samples.ts";

// One call to a store in five fails. Every answer is right, or a 503 with `Retry-After`. After all intents have been replayed, the stores
// agree.

const OPERATIONS = 60;
const EVERY = 5;

afterEach(() => {
  faults.every = 0;
});

it.each([1, 2])(
  "No answer is wrong and nothing is left behind when stores fail at random (seed %d)",
  { retry: 0 },
  async (seed) => {
    const account = await openProAccount();
    const random = seededRandom(seed);
    const below = (limit: number) => Math.floor(random() * limit);
    /** Uploads that an answer named, with the statuses of their deletions. */
    const told = new Map<string, number[]>();
    let unavailable = 0;
    const send = async (path: string, init: RequestInit): Promise<Response> => {
      const ctx = createExecutionContext();
      const headers = { ...bearer(account.apiKey), ...init.headers };
      const response = await worker.fetch(
        new Request(BASE_URL + path, { ...init, headers }),
        faultyEnv(env, faults),
        ctx,
      );
      await waitOnExecutionContext(ctx);
      if (response.status === 503) {
        unavailable += 1;
        expect(await response.clone().json()).toMatchObject({ details: { retryAfter: expect.any(Number) } });
      }
      return response;
    };
    const json = (method: string, path: string, body: unknown) =>
      send(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const someId = () => [...told.keys()][below(told.size)] ?? "";
    const isStored = (id: string) => told.get(id)?.length === 0;

    const injectedBefore = faults.injected;
    faults.every = EVERY;
    for (let n = 0; n < OPERATIONS; n++) {
      const id = someId();
      switch (below(6)) {
        case 0:
        case 1: {
          const form = new FormData();
          form.append("file", new File([random() < 0.5 ? png(1, 1, 1000 + n) : mp4(2000 + n)], `${n}.bin`));
          if (random() < 0.3) form.append("file", new File([png(1, 1, 500)], "second.png"));
          const response = await send("/images/upload", { method: "POST", body: form });
          expect([201, 503]).toContain(response.status);
          if (response.status === 503) break;
          const answer = await response.json<{ _id: string; uploaded?: { _id: string }[] }>();
          for (const { _id } of answer.uploaded ?? [answer]) told.set(_id, []);
          break;
        }
        case 2: {
          if (told.size === 0) break;
          const { status } = await send(`/images/${id}`, { method: "DELETE" });
          expect(isStored(id) ? [200, 503] : [200, 404, 503]).toContain(status);
          told.get(id)?.push(status);
          break;
        }
        case 3: {
          if (told.size === 0) break;
          const { status } = await json("PATCH", `/images/${id}`, { tags: [`t${n}`] });
          expect(isStored(id) ? [200, 503] : [200, 404, 503]).toContain(status);
          break;
        }
        case 4: {
          const created = await json("POST", "/folders", { name: `Folder ${n}` });
          expect([201, 503]).toContain(created.status);
          if (created.status === 503) break;
          const { _id } = await created.json<{ _id: string }>();
          const deleted = await send(`/folders/${_id}`, { method: "DELETE" });
          expect([200, 503]).toContain(deleted.status);
          break;
        }
        default: {
          const response = await send("/images?status=all&limit=100", { method: "GET" });
          expect([200, 503]).toContain(response.status);
          if (response.status === 503) break;
          const { images } = await response.json<{ images: { _id: string }[] }>();
          const listed = new Set(images.map((image) => image._id));
          for (const known of told.keys()) if (isStored(known)) expect(listed).toContain(known);
        }
      }
    }
    expect(faults.injected - injectedBefore).toBeGreaterThan(OPERATIONS / 2);
    faults.every = 0;
    for (let pass = 0; pass < 3; pass++) await replayIntents(account.id);
    expect((await readMeter(account.id)).intents).toEqual([]);
    await expectConsistent(account.id);
    for (const [id, deletions] of told) {
      const { status } = await send(`/images/${id}`, { method: "GET" });
      if (deletions.length === 0) expect(status).toBe(200);
      if (deletions.includes(200)) expect(status).toBe(404);
    }
    expect(unavailable).toBeLessThan(OPERATIONS / 3);
  },
);
