import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { CdnEnv } from "../../src/cdn/env.ts";
import { type RecordedView, recordView } from "../../src/cdn/views.ts";
import type { FileViewed, ViewsCollected } from "../../src/domain/queue-messages.ts";
import { unpackViews } from "../../src/domain/view-pack.ts";
import { cdnEnv, VIEWED_FILE } from "./harness.ts";

const SECONDS = 2;
const VIEWS_PER_SECOND = 2000;
const TICK_MS = 10;
const JOURNALS = 4;

it("An account whose files have 2,000 views a second has all of them recorded, each once", async () => {
  const { VIEW_JOURNAL } = cdnEnv;
  const prefix = crypto.randomUUID();
  const journal = (name: string) => VIEW_JOURNAL.getByName(`${prefix}/${name}`);
  const alone: string[] = [];
  const env = {
    VIEW_JOURNAL: { getByName: journal } as unknown as CdnEnv["VIEW_JOURNAL"],
    VIEW_JOURNALS: String(JOURNALS),
    VIEWS: { send: async ({ viewId = "" }: FileViewed) => void alone.push(viewId) } as unknown as CdnEnv["VIEWS"],
  };
  const keepers: Promise<RecordedView>[] = [];
  const startedAt = Date.now();
  while (keepers.length < SECONDS * VIEWS_PER_SECOND) {
    const due = Math.min(SECONDS, (Date.now() - startedAt) / 1000) * VIEWS_PER_SECOND;
    while (keepers.length < due) keepers.push(recordView(env, VIEWED_FILE));
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  const kept = (await Promise.all(keepers)).map(({ keeper }) => keeper);
  expect(kept).not.toContain("nobody");
  // Views that no journal takes in time are recorded in the queue. Their number depends on the machine.
  expect(kept.filter((keeper) => keeper === "journal").length).toBeGreaterThan(kept.length / 2);

  const journaled: string[] = [];
  for (let number = 0; number < JOURNALS; number++) {
    const stub = journal(`views-${number}`);
    await runInDurableObject(stub, (instance) => {
      const send = async ({ packs }: ViewsCollected) => {
        for (const pack of packs.values()) journaled.push(...unpackViews(pack).map(({ id }) => id));
      };
      Object.defineProperty(instance, "env", { value: { ...cdnEnv, VIEWS: { send } } });
    });
    await runDurableObjectAlarm(stub);
  }
  expect(new Set(journaled).size).toBe(journaled.length);
  // A view that is also in the queue has the same id there, so its account counts it once.
  expect(new Set([...journaled, ...alone]).size).toBe(kept.length);
}, 30_000);
