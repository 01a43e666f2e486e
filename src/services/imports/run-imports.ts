import { toLogLine } from "../../domain/log-line.ts";
import type { Services } from "../context.ts";
import { HostTurns } from "./host-turns.ts";
import { importItem, toRef } from "./import-item.ts";

/** A runner that has worked for this time lets other accounts' messages go first. */
const SLICE_MS = 60_000;

/**
 * Fetches an account's items one after the other, for about a minute; another message continues. The account's object decides how many
 * runners it has.
 * @throws errors of the object and of the queue: the message is delivered again, and an attempt without an end is repeated
 */
export async function runImports(services: Services, accountId: string): Promise<void> {
  const meter = services.meterOf(accountId);
  const hosts = new HostTurns(services);
  const endsAt = services.now() + SLICE_MS;
  try {
    for (let item = await meter.takeImportItem(); item !== undefined; ) {
      const outcome = await importItem(services, hosts, item);
      const { importId, number } = item;
      const facts = { accountId, importId, number, outcome: outcome.outcome };
      if ("error" in outcome) console.warn(toLogLine("import.attempt-failed", { ...facts, code: outcome.error.code }));
      // A source that was slow to fail has had its turn.
      const goesOn = services.now() < endsAt;
      item = await meter.endImportItem(toRef(item), outcome, goesOn);
      if (!goesOn) await services.importsDue.send({ type: "import.due", accountId });
    }
  } finally {
    await hosts.leave();
  }
}
