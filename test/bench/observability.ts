import { startApi } from "../support/stack/miniflare.ts";
import { type BenchAccount, openBusinessAccount } from "./support/account.ts";
import { reportRatio, type Target } from "./support/report.ts";
import { measureInTurn, tasksPerSecond } from "./support/rounds.ts";

/** This number of accounts may make all the requests of a minute without a refusal. */
const ACCOUNTS = 10;
/** The requests and the warm-up stay below 1,000 for each account. */
const REQUESTS = 400;
const ROUNDS = 15;
const AT_ONCE = 8;

/** The cost of a log line and of the counts of GET /metrics for a request that does little else. */
export async function benchObservability(): Promise<Target[]> {
  console.log(`observability: GET /account with the log and metrics (product), and without (bare), ${AT_ONCE} at once`);
  await using observed = await startApi({ REQUEST_LOG: "all", METRICS_FLUSH_SECONDS: "20" }, { isQuiet: true });
  await using silent = await startApi({ REQUEST_LOG: "errors", METRICS_FLUSH_SECONDS: "0" }, { isQuiet: true });
  const sides = { product: await asker(observed.url), bare: await asker(silent.url) };
  return [reportRatio("requests/s", await measureInTurn(ROUNDS, sides), { atLeast: 0.97 })];
}

async function asker(url: URL): Promise<() => Promise<number>> {
  const accounts: BenchAccount[] = [];
  for (let index = 0; index < ACCOUNTS; index++) {
    accounts.push(await openBusinessAccount(url, `observability-${index}@example.com`));
  }
  return () =>
    tasksPerSecond(REQUESTS, AT_ONCE, (index) =>
      (accounts[index % ACCOUNTS] as BenchAccount).client.call(200, "/account"),
    );
}
