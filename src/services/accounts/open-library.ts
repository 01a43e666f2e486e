import type { Library } from "../../db/library/library.ts";
import type { Services } from "../context.ts";

/**
 * The library of an account for a job or the operator, with one call to the account's meter.
 * @returns undefined if the account no longer exists
 */
export async function openLibrary(
  { libraries, meterOf }: Pick<Services, "libraries" | "meterOf">,
  accountId: string,
): Promise<Library | undefined> {
  const meter = meterOf(accountId);
  const shard = await meter.locate();
  return shard && libraries.open(shard, async () => (await meter.locate()) ?? shard);
}
