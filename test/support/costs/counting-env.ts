import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { CdnEnv, VariantsByTier } from "../../../src/cdn/env.ts";
import { TIER_NAMES } from "../../../src/domain/tiers.ts";
import { SERVICE_METER_NAME } from "../../../src/meter/service/service-meter.ts";
import { meterOf, replaceStores } from "../api/account-state.ts";
import { replaceDatabases } from "../api/databases.ts";
import { countRows } from "./count-rows.ts";
import { CountedD1 } from "./counted-d1.ts";
import { type Bill, emptyBill } from "./prices.ts";

const CLASS_B: readonly string[] = ["get", "head"];
/** Class A operations of a bucket and of its multipart uploads. Deleting is free. */
const CLASS_A: readonly string[] = ["put", "list", "createMultipartUpload", "uploadPart", "complete"];
const OPERATIONS_PER_MESSAGE = 3;

const UNLIMITED: RateLimit = { limit: async () => ({ success: true }) };
/** The minute's limits of new variants, which cost nothing and admit every request. */
export const UNLIMITED_VARIANTS = Object.fromEntries(
  TIER_NAMES.map((tier) => [`VARIANTS_BY_${tier.toUpperCase()}`, UNLIMITED]),
) as Record<VariantsByTier, RateLimit>;

/** The Worker's bindings and its account's object, which count their calls. */
export class CountingEnv {
  readonly env: Env;
  readonly #bill = emptyBill();
  readonly #databases: CountedD1[] = [];

  private constructor() {
    this.env = {
      ...env,
      ...this.#countedDatabases(),
      FILES: countBucket(env.FILES, this.#bill),
      UPLOADS: countQueue(env.UPLOADS, this.#bill),
      ALERTS: countQueue(env.ALERTS, this.#bill),
      MAILS: countQueue(env.MAILS, this.#bill),
      MODERATION: countQueue(env.MODERATION, this.#bill),
      ACCOUNT_METER: countCalls(env.ACCOUNT_METER, this.#bill),
      ADDRESS_METER: countCalls(env.ADDRESS_METER, this.#bill),
    };
  }

  static async open(accountId: string): Promise<CountingEnv> {
    const counting = new CountingEnv();
    await counting.watchAccount(accountId);
    return counting;
  }

  /** Counts in the account's object until the object is evicted, which takes ten idle seconds. */
  async watchAccount(accountId: string): Promise<void> {
    const { ACCOUNT_METER: _, ADDRESS_METER: __, ...stores } = this.env;
    await begin(meterOf(accountId));
    await replaceStores(accountId, stores);
    await runInDurableObject(meterOf(accountId), (_meter, { storage }) => countRows(storage, this.#bill));
  }

  /** Counts in the object of an address in the same way. */
  async watchAddress(address: string, kind = "ip"): Promise<void> {
    const meter = env.ADDRESS_METER.getByName(`${kind}:${address}`);
    await begin(meter);
    await runInDurableObject(meter, (_meter, { storage }) => countRows(storage, this.#bill));
  }

  /** Counts the calls and rows of the whole service's own object in the same way. */
  async watchService(): Promise<void> {
    const meter = env.SERVICE_METER.getByName(SERVICE_METER_NAME);
    await begin(meter);
    await runInDurableObject(meter, (_meter, { storage }) => countRows(storage, this.#bill));
    Object.assign(this.env, { SERVICE_METER: countCalls(env.SERVICE_METER, this.#bill) });
  }

  /** Counts in a journal in the same way, and sends to `queue`. */
  async watchJournal(name: string, queue: Pick<CdnEnv["VIEWS"], "send">): Promise<CdnEnv["VIEW_JOURNAL"]> {
    const { VIEW_JOURNAL } = env as unknown as CdnEnv;
    const journal = VIEW_JOURNAL.getByName(name);
    await begin(journal);
    await runInDurableObject(journal, (instance, { storage }) => {
      countRows(storage, this.#bill);
      const VIEWS = countQueue(queue, this.#bill);
      Object.defineProperty(instance, "env", { value: { VIEWS, VIEW_FLUSH_SECONDS: "3600" } });
    });
    return countCalls(VIEW_JOURNAL as DurableObjectNamespace<undefined>, this.#bill) as CdnEnv["VIEW_JOURNAL"];
  }

  /** Counts in the object that makes an upload's variants in the same way. */
  async watchMaker(accountId: string, uploadId: string, hasProcessor = false): Promise<CdnEnv["VARIANT_MAKER"]> {
    const { OWN_MAKER } = env as unknown as { OWN_MAKER: DurableObjectNamespace };
    const maker = OWN_MAKER.getByName(uploadId);
    const VARIANT_BUDGET = await this.#watchBudget(accountId);
    await begin(maker);
    await runInDurableObject(maker, (instance, { storage }) => {
      countRows(storage, this.#bill);
      const bindings = { ...this.env, VARIANT_BUDGET, MEDIA_PROCESSOR: hasProcessor ? "container" : "none" };
      Object.defineProperty(instance, "env", { value: bindings });
    });
    return countCalls(OWN_MAKER as DurableObjectNamespace<undefined>, this.#bill) as unknown as CdnEnv["VARIANT_MAKER"];
  }

  async #watchBudget(accountId: string): Promise<CdnEnv["VARIANT_BUDGET"]> {
    const { OWN_BUDGET } = env as unknown as { OWN_BUDGET: DurableObjectNamespace };
    const budget = OWN_BUDGET.getByName(accountId);
    await begin(budget);
    await runInDurableObject(budget, (_instance, { storage }) => countRows(storage, this.#bill));
    return countCalls(
      OWN_BUDGET as DurableObjectNamespace<undefined>,
      this.#bill,
    ) as unknown as CdnEnv["VARIANT_BUDGET"];
  }

  /** The cost of `use`, including the work after its answer. */
  async bill(use: () => Promise<unknown>): Promise<Bill> {
    const before = this.#read();
    await use();
    const after = this.#read();
    const names = Object.keys(after) as (keyof Bill)[];
    return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Bill;
  }

  /** Counts a request or a batch of messages that came to a Worker. */
  addWorkerRequest(): void {
    this.#bill.workerRequests += 1;
  }

  /** The queue, whose messages are counted. */
  countQueue<Queued extends object>(queue: Queued): Queued {
    return countQueue(queue, this.#bill);
  }

  /** Counts operations of a queue that the test itself delivers. */
  addQueueOperations(count: number): void {
    this.#bill.queueOperations += count;
  }

  /** Counts an alarm, which is a call of its object. */
  addAlarm(): void {
    this.#bill.objectCalls += 1;
  }

  #countedDatabases(): Partial<Env> {
    return replaceDatabases((real) => {
      const counted = new CountedD1(real);
      this.#databases.push(counted);
      return counted as unknown as D1Database;
    });
  }

  #read(): Bill {
    const sum = (figure: "calls" | "rowsRead" | "rowsWritten") =>
      this.#databases.reduce((total, database) => total + database[figure], 0);
    return { ...this.#bill, d1Calls: sum("calls"), d1RowsRead: sum("rowsRead"), d1RowsWritten: sum("rowsWritten") };
  }
}

/** Starts, then evicts the object, so that counting begins with a fresh instance. An object that does not run cannot be evicted. */
async function begin(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, () => {});
  await evictDurableObject(stub);
}

function countBucket<Store extends object>(store: Store, bill: Bill): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        if (CLASS_A.includes(String(name))) bill.r2ClassA += 1;
        if (CLASS_B.includes(String(name))) bill.r2ClassB += 1;
        const result: unknown = member.apply(target, args);
        if (name === "resumeMultipartUpload") return countBucket(result as object, bill);
        if (name !== "createMultipartUpload") return result;
        return (result as Promise<object>).then((upload) => countBucket(upload, bill));
      };
    },
  });
}

function countQueue<Queued extends object>(queue: Queued, bill: Bill): Queued {
  return new Proxy(queue, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      // The length of a queue is read free of charge.
      if (name === "metrics") return member.bind(target);
      return (...args: unknown[]) => {
        const messages = name === "sendBatch" ? [...(args[0] as Iterable<unknown>)].length : 1;
        bill.queueOperations += OPERATIONS_PER_MESSAGE * messages;
        return member.apply(target, args);
      };
    },
  });
}

function countCalls<Namespace extends DurableObjectNamespace<undefined>>(namespace: Namespace, bill: Bill): Namespace {
  const count = (stub: object) =>
    new Proxy(stub, {
      get: (target, name) => {
        const methods = target as Record<string | symbol, (...args: unknown[]) => unknown>;
        if (typeof name === "symbol" || name === "then") return Reflect.get(target, name);
        return (...args: unknown[]) => {
          bill.objectCalls += 1;
          return methods[name]?.(...args);
        };
      },
    });
  return new Proxy(namespace, {
    get: (target, name) => {
      if (name === "getByName") return (objectName: string) => count(target.getByName(objectName));
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
