import type { Library } from "../../db/library/library.ts";
import type { Services } from "../context.ts";

/**
 * The library of an account that asks for nothing itself: a job's, or the operator's. One call to its meter.
 * @returns undefined where the account is no more
 */
export async function openLibrary(
  { libraries, meterOf }: Pick<Services, "libraries" | "meterOf">,
  accountId: string,
): Promise<Library | undefined> {
  const meter = meterOf(accountId);
  const shard = await meter.locate();
  return shard && libraries.open(shard, async () => (await meter.locate()) ?? shard);
}
