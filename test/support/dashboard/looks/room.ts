import type { DeadLetter, OverdueIntent, ServiceOverview } from "../../../../src/client/types.ts";
import { LONG } from "./owners.ts";

// The operator's answers in states that take hours or thousands of accounts to reach.

const ACCOUNT = "01arz3ndektsv4rrffq69g5fav";
const HOUR_MS = 3_600_000;
/** A page of a list. */
const PAGE_ITEMS = 50;

const before = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

const INTENT: OverdueIntent = {
  accountId: ACCOUNT,
  id: `delete:${ACCOUNT}`,
  kind: "delete",
  attempts: 9,
  failedAt: before(2),
  nextAt: before(-0.5),
  reason: "R2 is away",
};
const LETTER: DeadLetter = {
  id: "one",
  queue: "uploads-dead",
  type: "upload.stored",
  state: "given-up",
  attempts: 40,
  failedAt: before(2),
  nextAt: null,
  reason: "The processor is away",
};

type Answer = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, unknown>>;

const listOf = (answer: Answer) => Object.entries(answer).find(([, value]) => Array.isArray(value));
const withList = (answer: Answer, items: readonly object[], nextCursor: string | null = null) => {
  const [name = "items"] = listOf(answer) ?? [];
  return { ...answer, [name]: items, pagination: { ...(answer.pagination as object), nextCursor } };
};

/** @returns the service's answer with one overdue change and one dead letter */
export function fewInRoom(path: string, answer: object): object {
  if (path === "/admin/intents") return withList(answer as Answer, [INTENT]);
  if (path === "/admin/dead-letters") return withList(answer as Answer, [LETTER]);
  return answer;
}

/** @returns the service's answer of its first day: lists have no items, and figures are 0 */
export function emptyRoom(path: string, answer: object): object {
  if (path === "/admin/overview") {
    const { dependencies, queues, durations, databases } = answer as ServiceOverview;
    return {
      dependencies,
      queues: queues.map((queue) => ({ ...queue, messages: 0, oldestAgeSeconds: 0 })),
      deadLetters: { retrying: 0, givenUp: 0 },
      overdueIntents: { count: 0, oldestAgeSeconds: 0 },
      databases: databases.map((database) => ({ ...database, bytes: 0 })),
      thumbnails: [],
      durations: durations.map((duration) => ({ ...duration, requests: 0 })),
      hours: [],
    } satisfies ServiceOverview;
  }
  return listOf(answer as Answer) === undefined ? answer : withList(answer as Answer, []);
}

/** @returns the service's answer with a whole page of items that have long texts, and with figures of a large service in trouble */
export function fullRoom(path: string, answer: object): object {
  if (path === "/admin/overview") return fullOverview(answer as ServiceOverview);
  const [, listed] = listOf(answer as Answer) ?? [];
  if (listed === undefined) return fullAccount(answer as Answer);
  const [first] = path === "/admin/intents" ? [INTENT] : path === "/admin/dead-letters" ? [LETTER] : (listed as Item[]);
  if (first === undefined) return answer;
  const isShards = path === "/admin/shards";
  const items = Array.from({ length: isShards ? 12 : PAGE_ITEMS }, (_, at) => itemAt({ ...first }, at));
  return withList(answer as Answer, items, isShards ? null : "more");
}

/** An item of a full list. The first keeps its id, because the page reads it by the id. */
function itemAt(first: Item, at: number): Item {
  const texts = { reason: `${LONG} ${"The owner of the photo has written twice. ".repeat(3)}`, name: LONG };
  const long = Object.fromEntries(Object.entries(texts).filter(([name]) => name in first));
  const figures = { databaseBytes: (at * 10 * 1024 ** 3) / 11, accounts: 10 ** (at / 2), shard: `0${at}`.slice(-2) };
  const shard =
    "databaseBytes" in first ? { ...figures, accounts: Math.round(figures.accounts), open: at % 3 > 0 } : {};
  const ids = Object.fromEntries(["id", "_id"].filter((id) => id in first).map((id) => [id, `${first[id]}-${at}`]));
  return { ...first, ...(at === 0 ? {} : ids), ...(at % 2 === 0 ? long : {}), ...shard };
}

/** An account that is suspended and has used up its tier. */
function fullAccount(answer: Answer): Answer {
  if (!("storage" in answer)) return answer;
  const usedUp = (figures: unknown) => ({ ...(figures as Item), used: (figures as Item).limit });
  return {
    ...answer,
    name: LONG,
    storage: usedUp(answer.storage),
    operations: usedUp(answer.operations),
    suspension: { suspendedAt: before(30), reason: `Spam: ${LONG}`, serveFiles: false },
  };
}

function fullOverview({ dependencies, queues, durations, databases, ...rest }: ServiceOverview): ServiceOverview {
  return {
    ...rest,
    dependencies: dependencies.map((each, at) => ({ ...each, ...(at === 1 ? { status: "down", ms: 2000 } : {}) })),
    queues: queues.map((queue, at) => ({ ...queue, messages: 7 ** at, oldestAgeSeconds: 60 ** (at % 4) })),
    deadLetters: { retrying: 120, givenUp: 1204 },
    overdueIntents: { count: 1204, oldestAgeSeconds: 200_000 },
    databases: databases.map((database) => ({ ...database, bytes: 9.2 * 1024 ** 3 })),
    thumbnails: ["made", "failed", "timed-out", "given-up"].map((outcome, at) => ({
      outcome,
      attempts: 90_000 / 10 ** at,
    })),
    durations: durations.map((duration, at) => ({ ...duration, requests: 4 ** (12 - at) })),
    hours: Array.from({ length: 336 }, (_, at) => {
      const requests = Math.round(900_000 * (1 + Math.sin(at / 4)));
      const [clientErrors, serverErrors] = [Math.round(requests / 20), at % 50 === 0 ? Math.round(requests / 4) : 0];
      const uploads = Math.round(requests / 90);
      return {
        at: before(335 - at),
        requests,
        clientErrors,
        serverErrors,
        slow: 12,
        uploads,
        uploadBytes: uploads * 9e6,
      };
    }),
  };
}
