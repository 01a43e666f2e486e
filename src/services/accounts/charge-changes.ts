import { CHANGE_MICRODOLLARS } from "../../domain/allowance.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { AccountContext } from "../context.ts";

/**
 * Takes the price of a request's further changes from the account's allowance (LIM-10); the admission took the price of one.
 * @param count the number of changed things
 * @returns the count
 */
export async function chargeChanges({ meter, accountId }: AccountContext, count: number): Promise<number> {
  if (count > 1) {
    await meter.chargeAllowance((count - 1) * CHANGE_MICRODOLLARS).catch((error: unknown) => {
      // The changes are made, so their request does not fail.
      console.error(toLogLine("allowance.not-charged", { accountId, count }, error));
    });
  }
  return count;
}
