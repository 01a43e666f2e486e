import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CdnEnv } from "../../src/cdn/env.ts";
import type { JournaledView } from "../../src/cdn/journal-store.ts";
import type { ViewJournal } from "../../src/cdn/view-journal.ts";
import { newId } from "../../src/domain/ids.ts";
import type { ViewsCollected } from "../../src/domain/queue-messages.ts";
import { newViewId, unpackViews } from "../../src/domain/view-pack.ts";
import { ACCOUNT_ID, cdnEnv, UPLOAD_ID } from "./harness.ts";

const GROUP_MS = 250;
/** An hour would be much more. */
const MOST_MS = 10_000;

type Journal = DurableObjectStub<ViewJournal>;
type Send = (message: ViewsCollected, inside: ViewJournal) => Promise<void>;

function newJournal(): Journal {
  return cdnEnv.VIEW_JOURNAL.getByName(`test-${crypto.randomUUID()}`);
}

function view(change: Partial<JournaledView> = {}): JournaledView {
  return { id: newViewId(), at: Date.now(), accountId: ACCOUNT_ID, resourceId: UPLOAD_ID, ...change };
}

const views = (count: number): JournaledView[] => Array.from({ length: count }, () => view());

/** Gives the journal other bindings until it is evicted. */
async function replaceEnv(journal: Journal, replaced: Partial<Record<keyof CdnEnv, unknown>>): Promise<void> {
  await runInDurableObject(journal, (instance) => {
    // No binding is assigned, because other code may share the env.
    Object.defineProperty(instance, "env", { value: { ...cdnEnv, ...replaced }, configurable: true, writable: true });
  });
}

/** Has the journal send to the test's queue until it is evicted. */
async function replaceQueue(journal: Journal, send: Send): Promise<void> {
  const inside = await runInDurableObject(journal, (instance) => instance as unknown as ViewJournal);
  await replaceEnv(journal, { VIEWS: { send: (message: ViewsCollected) => send(message, inside) } });
}

/** Has the journal flush into a list. @returns the messages, copied as the queue copies them */
async function flush(journal: Journal): Promise<ViewsCollected[]> {
  const sent: ViewsCollected[] = [];
  await replaceQueue(journal, async (message) => void sent.push(structuredClone(message)));
  await runDurableObjectAlarm(journal);
  return sent;
}

function idsOf(messages: readonly ViewsCollected[]): string[] {
  return messages.flatMap(({ packs }) => [...packs.values()].flatMap((pack) => unpackViews(pack).map(({ id }) => id)));
}

/** The journal's own calls, without RPC. */
function recordInside(journal: Journal, told: readonly JournaledView[]): Promise<string[]> {
  return runInDurableObject(journal, (instance) => (instance as unknown as ViewJournal).record(told));
}

const sorted = (ids: readonly string[]) => [...ids].sort();
const ids = (told: readonly JournaledView[]) => sorted(told.map(({ id }) => id));

function recordAll(journal: Journal, told: readonly JournaledView[]): Promise<string[]> {
  return journal.record(told);
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("Recording", () => {
  it("A journal sends its recorded views by account, each once with its time and upload", async () => {
    const journal = newJournal();
    const other = newId(Date.now());
    const told = [view(), view({ accountId: other, resourceId: other }), view({ at: Date.now() - 5000 })];
    expect(await recordAll(journal, told)).toEqual(["recorded", "recorded", "recorded"]);
    const [message, ...others] = await flush(journal);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ type: "views.collected", journal: expect.any(String), sequence: 1 });
    const packs = message?.packs ?? new Map<string, Uint8Array>();
    const sent = [...packs].flatMap(([accountId, pack]) => unpackViews(pack).map((each) => ({ ...each, accountId })));
    const byId = (a: JournaledView, b: JournaledView) => (a.id < b.id ? -1 : 1);
    expect(sent.sort(byId)).toEqual(told.sort(byId));
    expect(await flush(journal)).toEqual([]);
  });

  it("A journal's views reach the real queue, and its rows are deleted then", async () => {
    const journal = newJournal();
    await recordAll(journal, views(3));
    await runDurableObjectAlarm(journal);
    const left = await runInDurableObject(journal, (_, { storage }) =>
      storage.sql.exec("SELECT * FROM sequences").toArray(),
    );
    expect(left).toEqual([]);
  });

  it("A journal writes one row for a group of views, and answers after the write", async () => {
    const journal = newJournal();
    await journal.record([view()]);
    const written: number[] = [];
    await runInDurableObject(journal, (_, { storage }) => {
      const exec = storage.sql.exec.bind(storage.sql);
      Object.defineProperty(storage.sql, "exec", {
        value: (...args: Parameters<typeof exec>) => {
          const cursor = exec(...args);
          if (args[0].startsWith("INSERT")) written.push(cursor.rowsWritten);
          return cursor;
        },
      });
    });
    const startedAt = Date.now();
    await recordAll(journal, views(100));
    // One row shows that it was one group, and that it did not wait for a second one.
    expect(Date.now() - startedAt).toBeLessThan(MOST_MS);
    expect(written).toEqual([1]);
    await evictDurableObject(journal);
    expect(idsOf(await flush(journal))).toHaveLength(101);
  });

  // The quickest of several, as load may delay any of them.
  it("A journal does not delay a view that arrives after a pause", async () => {
    const journal = newJournal();
    const waited: number[] = [];
    for (let round = 0; round < 5; round++) {
      await journal.record([view()]);
      await new Promise((resolve) => setTimeout(resolve, GROUP_MS + 50));
      const startedAt = Date.now();
      await journal.record([view()]);
      waited.push(Date.now() - startedAt);
    }
    expect(Math.min(...waited)).toBeLessThan(GROUP_MS - 50);
  });

  it.each([
    ["60", 60],
    ["1", 1],
    ["3600", 3600],
    // Values that are no number of seconds mean a minute.
    ["0", 60],
    ["3601", 60],
    ["1.5", 60],
    ["soon", 60],
  ])("Journals send at the same moments: every %s seconds", async (VIEW_FLUSH_SECONDS, seconds) => {
    const journal = newJournal();
    await replaceEnv(journal, { VIEW_FLUSH_SECONDS });
    await journal.record([view()]);
    const alarmAt = await runInDurableObject(journal, (_, { storage }) => storage.getAlarm());
    // An alarm of one second may have rung, and other alarms may be due in a moment.
    if (alarmAt === null) return expect(seconds).toBe(1);
    expect(alarmAt % (seconds * 1000)).toBe(0);
    expect(alarmAt - Date.now()).toBeLessThanOrEqual(seconds * 1000);
  });

  it("A journal's message has a thousand views and fits the queue, even if all accounts differ", async () => {
    const journal = newJournal();
    const other = () => view({ accountId: newId(Date.now()), resourceId: newId(Date.now()) });
    const told: JournaledView[] = [];
    for (let group = 0; group < 5; group++) {
      const views = Array.from({ length: 2000 }, other);
      expect(new Set(await recordInside(journal, views))).toEqual(new Set(["recorded"]));
      told.push(...views);
    }
    await recordInside(journal, [view()]);
    const sent: ViewsCollected[] = [];
    await replaceQueue(journal, async (message) => {
      // The local queue refuses more than 128 KB, as Cloudflare's does.
      await cdnEnv.VIEWS.send(message, { contentType: "v8" });
      sent.push(message);
    });
    await runDurableObjectAlarm(journal);
    expect(sent.map(({ sequence, packs }) => [sequence, packs.size])).toEqual([
      ...Array.from({ length: 10 }, (_, index) => [index + 1, 1000]),
      [11, 1],
    ]);
    expect(sorted(idsOf(sent.slice(0, 10)))).toEqual(ids(told));
  });
});

describe("Repeated views", () => {
  it("A view repeated at once, while it waits or once stored is recorded once", async () => {
    const journal = newJournal();
    const told = view();
    expect(await recordAll(journal, [view(), told, told, told])).toEqual(Array(4).fill("recorded"));
    expect(await journal.record([told])).toEqual(["recorded"]);
    expect(idsOf(await flush(journal)).filter((id) => id === told.id)).toHaveLength(1);
  });

  it("A view repeated after it was sent is recorded once, while the journal remembers it", async () => {
    const journal = newJournal();
    const told = view();
    await journal.record([told]);
    expect(idsOf(await flush(journal))).toEqual([told.id]);
    expect(await journal.record([told])).toEqual(["recorded"]);
    expect(await flush(journal)).toEqual([]);
  });

  it("A view repeated after an eviction is known if it is stored, and refused if it may be sent", async () => {
    const journal = newJournal();
    const told = view();
    await journal.record([told]);
    await evictDurableObject(journal);
    expect(await journal.record([told])).toEqual(["recorded"]);
    expect(idsOf(await flush(journal))).toEqual([told.id]);
    await evictDurableObject(journal);
    expect(await journal.record([told])).toEqual(["refused"]);
    expect(await journal.record([view({ at: told.at + 1 })])).toEqual(["recorded"]);
  });

  it("A repeated view is refused if too many later views may have displaced its id", async () => {
    const journal = newJournal();
    const first = view({ at: Date.now() - 10_000 });
    await journal.record([first]);
    for (let many = 0; many < 17; many++) await recordInside(journal, views(2000));
    expect(await journal.record([first])).toEqual(["refused"]);
    const sent = idsOf(await flush(journal));
    expect(sent).toHaveLength(34_001);
    expect(new Set(sent).size).toBe(34_001);
  }, 30_000);
});

describe("Queue failures", () => {
  it("Views that the queue refused are sent next time under the same sequence, none lost or twice", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const journal = newJournal();
    const [first, second] = [views(3), views(2)];
    await recordAll(journal, first);
    await replaceQueue(journal, () => Promise.reject(new Error("Queue send failed: Too Many Requests")));
    await runDurableObjectAlarm(journal);
    await recordAll(journal, second);
    const alarmAt = await runInDurableObject(journal, (_, { storage }) => storage.getAlarm());
    expect(alarmAt).not.toBeNull();
    const sent = await flush(journal);
    expect(sent.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(sorted(idsOf(sent.slice(0, 1)))).toEqual(ids(first));
    expect(sorted(idsOf(sent.slice(1)))).toEqual(ids(second));
  });

  it("A message whose answer was lost is sent again unchanged, even after a reset", async () => {
    const journal = newJournal();
    const told = views(3);
    await recordAll(journal, told);
    const sent: ViewsCollected[] = [];
    await replaceQueue(journal, async (message, inside) => {
      sent.push(structuredClone(message));
      // Views that arrive meanwhile get another sequence.
      await inside.record([view()]);
      throw new Error("The answer was lost");
    });
    vi.spyOn(console, "error").mockImplementation(() => {});
    await runDurableObjectAlarm(journal);
    await evictDurableObject(journal);
    expect(await journal.record([view()])).toEqual(["recorded"]);
    const [again, next] = await flush(journal);
    expect(again).toEqual(sent[0]);
    expect(idsOf(next === undefined ? [] : [next])).toHaveLength(2);
    expect(next?.sequence).toBe(2);
  });
});

describe("Resets", () => {
  it("A reset during a call fails that call, and keeps all answered views", async () => {
    const journal = newJournal();
    const answered = views(5);
    await recordAll(journal, answered);
    const waiting = views(5);
    const outcomes = Promise.allSettled(waiting.map((each) => journal.record([each])));
    await runInDurableObject(journal, (_, state) =>
      state.abort("Durable Object reset because its code was updated."),
    ).catch(() => {});
    for (const { status } of await outcomes) expect(status).toBe("rejected");
    const fresh = cdnEnv.VIEW_JOURNAL.get(journal.id);
    await recordAll(fresh, waiting);
    expect(sorted(idsOf(await flush(fresh)))).toEqual(ids([...answered, ...waiting]));
  });

  it("A journal continues its sequence after a reset, and never repeats one", async () => {
    const journal = newJournal();
    const sequences: number[] = [];
    for (let round = 0; round < 3; round++) {
      await journal.record([view()]);
      await evictDurableObject(journal);
      await journal.record([view()]);
      const sent = await flush(journal);
      expect(idsOf(sent)).toHaveLength(2);
      sequences.push(...sent.map(({ sequence }) => sequence));
      await evictDurableObject(journal);
    }
    expect(sequences).toEqual([1, 2, 3]);
  });

  it("A journal created again under its name has another identity", async () => {
    const journal = newJournal();
    await journal.record([view()]);
    const [before] = await flush(journal);
    await runInDurableObject(journal, (_, { storage }) => storage.deleteAll());
    await evictDurableObject(journal);
    await journal.record([view()]);
    const [after] = await flush(journal);
    expect(after?.sequence).toBe(before?.sequence);
    expect(after?.journal).not.toBe(before?.journal);
  });
});

describe("Clocks", () => {
  it("A clock set back an hour loses no view, repeats none and delays none", async () => {
    const journal = newJournal();
    const [before, after] = [views(3), views(3)];
    await recordAll(journal, before);
    const real = Date.now.bind(Date);
    vi.spyOn(Date, "now").mockImplementation(() => real() - 3_600_000);
    const startedAt = performance.now();
    const late = after.map((each) => ({ ...each, at: Date.now() }));
    await recordAll(journal, late);
    expect(performance.now() - startedAt).toBeLessThan(MOST_MS);
    expect(await journal.record([before[0] as JournaledView])).toEqual(["recorded"]);
    const sent = await flush(journal);
    expect(sorted(idsOf(sent))).toEqual(ids([...before, ...late]));
  });

  it("A clock far ahead does not stop a journal from recording other views", async () => {
    const journal = newJournal();
    expect(await journal.record([view({ at: Date.now() + 3_600_000 })])).toEqual(["refused"]);
    expect(await journal.record([view()])).toEqual(["recorded"]);
  });
});

describe("Overload", () => {
  it("A journal refuses views beyond its group size, and records later ones", async () => {
    const journal = newJournal();
    await journal.record([view()]);
    const answers = await recordInside(journal, views(2500));
    expect(answers.filter((answer) => answer === "recorded")).toHaveLength(2000);
    expect(answers.filter((answer) => answer === "refused")).toHaveLength(500);
    expect(await journal.record([view()])).toEqual(["recorded"]);
  });

  it("A journal with two million unsent views refuses more, and records again once they are sent", async () => {
    const journal = newJournal();
    await runInDurableObject(journal, (_, { storage }) => {
      storage.transactionSync(() => {
        for (let sequence = 1; sequence <= 2000; sequence++) {
          storage.sql.exec("INSERT INTO sequences (sequence, count, views) VALUES (?, 0, '')", sequence);
        }
      });
    });
    await evictDurableObject(journal);
    expect(await journal.record([view()])).toEqual(["refused"]);
    expect(await flush(journal)).toHaveLength(0);
  });
});

describe("Eviction", () => {
  it("A journal evicted by the runtime after ten idle seconds forgets nothing", async () => {
    const journal = newJournal();
    const told = view();
    await journal.record([told]);
    await runInDurableObject(journal, (instance) => Object.assign(instance, { isMarked: true }));
    // The runtime evicts an object that had no request for ten seconds, as Cloudflare's does.
    // On a busy machine it does so later, so each look waits for longer: a look is a request.
    let isMarked = true;
    for (let waitMs = 12_500; isMarked && waitMs <= 25_000; waitMs *= 2) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      isMarked = await runInDurableObject(journal, (instance) => "isMarked" in instance);
    }
    expect(isMarked).toBe(false);
    expect(await journal.record([told])).toEqual(["recorded"]);
    const next = view();
    expect(await journal.record([next])).toEqual(["recorded"]);
    const sent = await flush(journal);
    expect(sorted(idsOf(sent))).toEqual(ids([told, next]));
    expect(sent).toHaveLength(1);
  }, 60_000);
});
