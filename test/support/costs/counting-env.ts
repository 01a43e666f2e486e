import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { meterOf, replaceStores } from "../api/account-state.ts";
import { replaceDatabases } from "../api/databases.ts";
import { CountedD1 } from "./counted-d1.ts";
import { type Bill, emptyBill } from "./prices.ts";

const CLASS_B: readonly string[] = ["get", "head"];
/** Of a bucket and of its multipart uploads. Deleting costs nothing. */
const CLASS_A: readonly string[] = ["put", "list", "createMultipartUpload", "uploadPart", "complete"];
const OPERATIONS_PER_MESSAGE = 3;

/** The Worker's bindings and its account's object, which count what they are asked for. */
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
      ACCOUNT_METER: countCalls(env.ACCOUNT_METER, this.#bill),
      ADDRESS_METER: countCalls(env.ADDRESS_METER, this.#bill),
    };
  }

  /** Counts from now on, until the account's object is evicted. */
  static async open(accountId: string): Promise<CountingEnv> {
    const counting = new CountingEnv();
    const { ACCOUNT_METER: _, ADDRESS_METER: __, ...stores } = counting.env;
    await replaceStores(accountId, stores);
    await runInDurableObject(meterOf(accountId), (_meter, { storage }) => countRows(storage, counting.#bill));
    return counting;
  }

  /** What `use` costs, with what it leaves to be done after its answer. */
  async bill(use: () => Promise<unknown>): Promise<Bill> {
    const before = this.#read();
    await use();
    const after = this.#read();
    const names = Object.keys(after) as (keyof Bill)[];
    return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Bill;
  }

  /** A request or a batch of messages came to a Worker. */
  addWorkerRequest(): void {
    this.#bill.workerRequests += 1;
  }

  addMessage(): void {
    this.#bill.queueOperations += OPERATIONS_PER_MESSAGE;
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

function countQueue<Queued extends Queue>(queue: Queued, bill: Bill): Queued {
  return new Proxy(queue, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
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

/** An alarm that is set is a row written, as is what the key-value part of the storage takes. */
function countRows(storage: DurableObjectStorage, bill: Bill): void {
  const exec = storage.sql.exec.bind(storage.sql);
  const setAlarm = storage.setAlarm.bind(storage);
  const { kv } = storage;
  const [get, put, remove] = [kv.get.bind(kv), kv.put.bind(kv), kv.delete.bind(kv)];
  const counted = (...args: Parameters<typeof exec>) => {
    const cursor = exec(...args);
    const rows = cursor.toArray();
    bill.objectRowsRead += cursor.rowsRead;
    bill.objectRowsWritten += cursor.rowsWritten;
    return {
      toArray: () => rows,
      one: () => rows[0],
      [Symbol.iterator]: () => rows[Symbol.iterator](),
      ...{ rowsRead: cursor.rowsRead, rowsWritten: cursor.rowsWritten, columnNames: cursor.columnNames },
    };
  };
  Object.defineProperty(storage.sql, "exec", { value: counted });
  Object.defineProperty(storage, "setAlarm", {
    value: (...args: Parameters<typeof setAlarm>) => {
      bill.objectRowsWritten += 1;
      return setAlarm(...args);
    },
  });
  Object.defineProperty(kv, "get", {
    value: (...args: Parameters<typeof get>) => {
      bill.objectRowsRead += 1;
      return get(...args);
    },
  });
  Object.defineProperty(kv, "put", {
    value: (...args: Parameters<typeof put>) => {
      bill.objectRowsWritten += 1;
      put(...args);
    },
  });
  Object.defineProperty(kv, "delete", {
    value: (...args: Parameters<typeof remove>) => {
      bill.objectRowsWritten += 1;
      return remove(...args);
    },
  });
}
