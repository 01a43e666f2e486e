import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { forgetReadiness } from "../../../src/services/health/check-health.ts";
import { failingDatabases, failingStore, libraries } from "../../support/api/databases.ts";
import { OBSERVED, observe } from "../../support/operator/observed.ts";
import { processorAt } from "../../support/thumbnails/processor.ts";

interface Readiness {
  readonly status: string;
  readonly dependencies: readonly {
    readonly name: string;
    readonly status: string;
    readonly ms: number;
    readonly ffmpeg?: string;
  }[];
}

const AWAKE = {
  ...processorAt(() => new Response()),
  getByName: () => ({ readFfmpegVersion: async () => "7.1.2-0+deb13u1" }),
};
const HEALTHY: Env = { ...OBSERVED, MEDIA_PROCESSOR: AWAKE as unknown as Env["MEDIA_PROCESSOR"] };
const HANGING = new Proxy({}, { get: () => () => new Promise(() => {}) });

beforeEach(forgetReadiness);

async function ready(replaced: Partial<Env> = {}) {
  const response = await observe("/health/ready", {}, { ...HEALTHY, ...replaced });
  const body = await response.json<Readiness & { details?: Readiness }>();
  const { dependencies } = body.details ?? body;
  const down = dependencies.filter(({ status }) => status === "down").map(({ name }) => name);
  return { status: response.status, word: body.status, dependencies, down, text: JSON.stringify(body) };
}

it("The service is ready if every dependency answers", async () => {
  const { status, word, dependencies, down } = await ready();
  expect(down).toEqual([]);
  expect([status, word]).toEqual([200, "ready"]);
  const shards = libraries.shards.map((shard) => `library-${shard}`);
  const names = ["directory", ...shards, "files", "meter", "queue", "codecs", "processor"];
  expect(dependencies.map(({ name }) => name)).toEqual(names);
});

it("The readiness names the media processor's version of ffmpeg", async () => {
  const { dependencies } = await ready();
  expect(dependencies.find(({ name }) => name === "processor")?.ffmpeg).toBe("7.1.2-0+deb13u1");
});

it.each<[name: string, replaced: Partial<Env>]>([
  ["directory", { DB: failingStore<D1Database>() }],
  ["library-01", { LIBRARY_01: failingStore<D1Database>() }],
  ["files", { FILES: failingStore<R2Bucket>() }],
  ["queue", { UPLOADS: failingStore<Queue>() as Env["UPLOADS"] }],
  // Counts would also be sent to this dependency.
  [
    "meter",
    { METRICS_FLUSH_SECONDS: "0", SERVICE_METER: { getByName: () => HANGING } as unknown as Env["SERVICE_METER"] },
  ],
  ["codecs", { CODECS: HANGING as Env["CODECS"] }],
])(
  "The service is not ready without %s, names it in time, and reveals nothing more to strangers",
  async (name, replaced) => {
    const startedAt = Date.now();
    const { status, down, text } = await ready(replaced);
    expect(status).toBe(503);
    expect(down).toEqual([name]);
    expect(text).not.toMatch(/out of order|D1_ERROR|stack/);
    expect(Date.now() - startedAt).toBeLessThan(6000);
  },
);

it("The service is degraded, not unready, without the media processor", async () => {
  const away = { getByName: () => ({ readFfmpegVersion: () => Promise.reject(new Error("away")) }) };
  const { status, word, down } = await ready({ MEDIA_PROCESSOR: away as unknown as Env["MEDIA_PROCESSOR"] });
  expect([status, word, down]).toEqual([200, "degraded", ["processor"]]);
});

it("The dependencies are called once in several seconds, so strangers cannot increase the cost", async () => {
  let heads = 0;
  const head = async () => {
    heads += 1;
    return null;
  };
  const FILES = { head } as unknown as R2Bucket;
  for (let request = 0; request < 20; request++) expect((await ready({ FILES })).status).toBe(200);
  await Promise.all(Array.from({ length: 20 }, () => ready({ FILES })));
  expect(heads).toBe(1);
});

it("The service is alive during any outage, of address meters too", async () => {
  const away = { getByName: () => HANGING } as unknown;
  const dead: Partial<Env> = {
    ...failingDatabases(),
    FILES: failingStore<R2Bucket>(),
    ADDRESS_METER: away as Env["ADDRESS_METER"],
    SERVICE_METER: away as Env["SERVICE_METER"],
    METRICS_FLUSH_SECONDS: "0",
  };
  const response = await observe("/health/live", {}, { ...env, ...dead });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok" });
  expect((await ready(dead)).status).toBe(503);
});
