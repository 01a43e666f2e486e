/** The platform's billed units, counted for one request and all that follows from it. */
export interface Bill {
  /** Requests from outside and batches of messages: calls between Workers are free. */
  workerRequests: number;
  /** Each RPC call of a Durable Object. */
  objectCalls: number;
  /** The time in which an object is busy with calls or an alarm. `npm run bench -- views` measures it; the tests of requests do not. */
  objectSeconds: number;
  objectRowsRead: number;
  objectRowsWritten: number;
  /** This is not billed, but the client waits for it. */
  d1Calls: number;
  d1RowsRead: number;
  d1RowsWritten: number;
  r2ClassA: number;
  r2ClassB: number;
  /** A message of up to 64 KB takes three: written, read, deleted. */
  queueOperations: number;
}

/**
 * Dollars for a million of each, on the paid plan, above the included amounts (developers.cloudflare.com, "Pricing" of Workers, Durable
 * Objects with SQLite, D1, R2 Standard and Queues, read in November 2026). CPU time and storage are not included.
 */
export const DOLLARS_PER_MILLION: Readonly<Record<keyof Bill, number>> = {
  workerRequests: 0.3,
  objectCalls: 0.15,
  // 12.50 for a million GB-s, at 128 MB.
  objectSeconds: 1.6,
  objectRowsRead: 0.001,
  objectRowsWritten: 1,
  d1Calls: 0,
  d1RowsRead: 0.001,
  d1RowsWritten: 1,
  r2ClassA: 4.5,
  r2ClassB: 0.36,
  queueOperations: 0.4,
};

export function emptyBill(): Bill {
  return {
    workerRequests: 0,
    objectCalls: 0,
    objectSeconds: 0,
    objectRowsRead: 0,
    objectRowsWritten: 0,
    d1Calls: 0,
    d1RowsRead: 0,
    d1RowsWritten: 0,
    r2ClassA: 0,
    r2ClassB: 0,
    queueOperations: 0,
  };
}

/** The cost of a million such requests. */
export function dollarsPerMillion(bill: Bill): number {
  const names = Object.keys(DOLLARS_PER_MILLION) as (keyof Bill)[];
  return names.reduce((sum, name) => sum + bill[name] * DOLLARS_PER_MILLION[name], 0);
}
