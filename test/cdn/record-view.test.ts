import { describe, expect, it, vi } from "vitest";
import type { CdnEnv } from "../../src/cdn/env.ts";
import type { JournaledView } from "../../src/cdn/journal-store.ts";
import { recordView } from "../../src/cdn/views.ts";
import type { FileViewed } from "../../src/domain/queue-messages.ts";
import { ACCOUNT_ID, cdnEnv, journals, THUMBNAIL_KEY, VIEWED_FILE } from "./harness.ts";

/** Records a view with journals and a queue that give these answers in turn, and records the calls to them. */
async function record(
  answers: readonly (() => Promise<"recorded" | "refused">)[],
  queue: readonly (() => Promise<void>)[] = [async () => {}],
  file: Parameters<typeof recordView>[1] = VIEWED_FILE,
) {
  const told: { view: JournaledView; journal: string }[] = [];
  const sent: FileViewed[] = [];
  const VIEW_JOURNAL = journals((view, journal) => {
    told.push({ view, journal });
    return (answers[told.length - 1] ?? (() => Promise.reject(new Error("asked too often"))))();
  });
  const send = (view: FileViewed) => {
    sent.push(view);
    return (queue[sent.length - 1] ?? (() => Promise.reject(new Error("asked too often"))))();
  };
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const VIEWS = { send } as unknown as CdnEnv["VIEWS"];
  const { keeper } = await recordView({ VIEW_JOURNAL, VIEWS, VIEW_JOURNALS: "4" }, file);
  logged.mockRestore();
  return { keeper, told, sent };
}

const lost = (flags: object = {}) => Promise.reject(Object.assign(new Error("Network connection lost."), flags));

describe("Journal", () => {
  it("A view that its journal recorded is not sent to the queue", async () => {
    const { keeper, told, sent } = await record([async () => "recorded"]);
    expect([keeper, told.length, sent.length]).toEqual(["journal", 1, 0]);
  });

  it("A journal call without an answer is repeated: same journal, same view", async () => {
    const { keeper, told, sent } = await record([
      lost,
      () => lost({ durableObjectReset: true }),
      async () => "recorded",
    ]);
    expect([keeper, told.length, sent.length]).toEqual(["journal", 3, 0]);
    expect(new Set(told.map(({ view, journal }) => JSON.stringify([view, journal]))).size).toBe(1);
  });

  it("An overloaded journal is not called again", async () => {
    const { keeper, told } = await record([() => lost({ overloaded: true })]);
    expect([keeper, told.length]).toEqual(["queue", 1]);
  });

  it("A journal that hangs is not called again; the call ends within a view's time limit", async () => {
    const startedAt = Date.now();
    const never = () => new Promise<never>(() => {});
    const { keeper, told } = await record([never]);
    expect([keeper, told.length]).toEqual(["queue", 1]);
    // Workers documentation, "Context": 30 seconds after the response.
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  }, 30_000);

  it("Views are spread evenly over the configured number of journals", async () => {
    const names = new Map<string, number>();
    // Each view has a group to itself.
    const alone = () =>
      journals(async (_, name) => {
        names.set(name, (names.get(name) ?? 0) + 1);
        return "recorded";
      });
    for (const [VIEW_JOURNALS, count] of [
      ["3", 3],
      ["1", 1],
      // Values that are no number of journals mean four.
      ["0", 4],
      ["257", 4],
      ["many", 4],
    ] as const) {
      names.clear();
      const views = Array.from({ length: 100 }, () =>
        recordView({ ...cdnEnv, VIEW_JOURNAL: alone(), VIEW_JOURNALS }, VIEWED_FILE),
      );
      await Promise.all(views);
      expect([...names.keys()].sort()).toEqual(Array.from({ length: count }, (_, number) => `views-${number}`));
      for (const views of names.values()) expect(Math.abs(views - 100 / count)).toBeLessThan(30);
    }
  });
});

describe("Queue", () => {
  it("A view without a confirmation of its journal is queued by itself, with the same id and time", async () => {
    for (const file of [VIEWED_FILE, { ...VIEWED_FILE, kind: "thumbnail" as const, objectKey: THUMBNAIL_KEY }]) {
      for (const answers of [[lost, lost, lost], [async () => "refused" as const]]) {
        const { keeper, told, sent } = await record(answers, undefined, file);
        expect(keeper).toBe("queue");
        expect(told).toHaveLength(answers.length);
        const [first] = told;
        expect(sent).toEqual([
          {
            type: "file.viewed",
            viewId: first?.view.id,
            viewedAt: first?.view.at,
            accountId: ACCOUNT_ID,
            objectKey: file.objectKey,
          },
        ]);
      }
    }
  });

  it("A view is sent again unchanged if the queue refuses it for a moment", async () => {
    const tooMany = () => Promise.reject(new Error("Queue send failed: Too Many Requests"));
    const { keeper, sent } = await record([async () => "refused"], [tooMany, tooMany, async () => {}]);
    expect(keeper).toBe("queue");
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ viewId }) => viewId)).size).toBe(1);
  });

  it("A view is lost if the queue refuses it as well", async () => {
    expect((await record([async () => "refused"], [])).keeper).toBe("nobody");
  });

  it("A refused view reaches the real queue", async () => {
    const VIEW_JOURNAL = journals(async () => "refused");
    expect((await recordView({ ...cdnEnv, VIEW_JOURNAL }, VIEWED_FILE)).keeper).toBe("queue");
  });
});
