/** Many simultaneous requests of one account's clients, and the figures afterwards: for tests in workerd and for benchmarks over HTTP. */

export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: unknown;
}

export interface UsageClient {
  get(path: string): Promise<Answer>;
  remove(path: string): Promise<Answer>;
  /** Uploads files of these sizes, in one request. */
  upload(sizesBytes: readonly number[]): Promise<Answer>;
}

const BATCH = 50;
const MAX_TRIES = 10;

interface Stored {
  readonly _id: string;
  readonly fileSize: number;
}

export interface Figure {
  readonly name: string;
  readonly expected: number;
  readonly shown: number;
}

/**
 * Sends uploads and deletions of one account, all at once. A request that is refused for lack of storage at the moment (503) is sent again.
 * @param count of all requests, half of each kind
 * @returns every figure that the API shows of the account afterwards, with its expected value; the account is new
 */
export async function sendMixed(client: UsageClient, count: number): Promise<Figure[]> {
  const half = Math.ceil(count / 2);
  const old: Stored[] = [];
  while (old.length < half) {
    const sizes = Array.from({ length: Math.min(BATCH, half - old.length) }, (_, i) => 300 + old.length + i);
    const { body } = await insist(() => client.upload(sizes), 201);
    old.push(...((body as { uploaded?: Stored[] }).uploaded ?? [body as Stored]));
  }
  const sizes = Array.from({ length: half }, (_, i) => 1000 + i);
  await Promise.all(
    sizes.flatMap((size, index) => [
      insist(() => client.upload([size]), 201),
      insist(() => client.remove(`/images/${old[index]?._id}`), 200),
    ]),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const operations = 3 * half;
  const [overview, days, listing, logs, uploads, deletions] = await Promise.all(
    [
      "/stats/overview",
      "/stats/operations",
      "/images?status=all",
      "/logs",
      "/logs?type=upload",
      "/logs?type=delete",
    ].map(async (path) => (await insist(() => client.get(path), 200)).body),
  );
  const { storage, operations: month, files } = overview as Overview;
  const total = (page: unknown) => (page as { pagination: { total: number } }).pagination.total;
  const sumOfDays = (days as { days: { operations: number }[] }).days.reduce((sum, day) => sum + day.operations, 0);
  return [
    { name: "storage", expected: bytes, shown: storage.used },
    { name: "operations", expected: operations, shown: month.used },
    { name: "operations of class A", expected: operations, shown: month.classA },
    { name: "operations of the days", expected: operations, shown: sumOfDays },
    { name: "files", expected: half, shown: files.total },
    { name: "list total", expected: half, shown: total(listing) },
    { name: "log total", expected: operations, shown: total(logs) },
    { name: "uploads in the log", expected: 2 * half, shown: total(uploads) },
    { name: "deletions in the log", expected: half, shown: total(deletions) },
  ];
}

interface Overview {
  readonly storage: { readonly used: number };
  readonly operations: { readonly used: number; readonly classA: number };
  readonly files: { readonly total: number };
}

async function insist(send: () => Promise<Answer>, expected: number): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await send();
    if (answer.status === expected) return answer;
    if (answer.status !== 503 || tries === MAX_TRIES) {
      throw new Error(`${answer.status} instead of ${expected}: ${JSON.stringify(answer.body)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.random() * tries));
  }
}

/**
 * Sends requests of several clients at once, each client until it is refused.
 * @returns the number of requests in the window of the last refusal, including the account's earlier requests in it
 */
export async function admittedInWindow(client: UsageClient, clients: number): Promise<number> {
  const first = await client.get("/settings");
  const figure = (name: string) => Number(first.headers.get(`X-RateLimit-${name}`));
  // The account's requests in the window until now: this request, and the requests that opened it.
  const admitted = new Map([[first.headers.get("X-RateLimit-Reset") ?? "", figure("Limit") - figure("Remaining")]]);
  let refusedIn = "";
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (;;) {
        const { status, headers, body } = await client.get("/settings");
        const window = headers.get("X-RateLimit-Reset") ?? "";
        if (status === 429) {
          refusedIn = window;
          return;
        }
        if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
        admitted.set(window, (admitted.get(window) ?? 0) + 1);
      }
    }),
  );
  return admitted.get(refusedIn) ?? 0;
}
