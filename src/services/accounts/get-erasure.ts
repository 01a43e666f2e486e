import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { Erasure } from "../../meter/answers.ts";
import type { Services } from "../context.ts";
import { readReceipt } from "./erasure-receipt.ts";

/**
 * How an erasure stands, for whoever has its receipt.
 * @throws ServiceError 404 for a receipt that is none of ours, or of an erasure that nothing is known of any more
 */
export async function getErasureByReceipt(services: Services, receipt: string): Promise<Erasure> {
  const accountId = await readReceipt(receipt, services.config.jwtSecret);
  if (accountId === undefined) throw ERRORS.ErasureNotFound();
  return getErasure(services, accountId);
}

/**
 * How an account's erasure stands, for the operator.
 * @throws ServiceError 404 where none was asked for, or nothing is known of it any more
 */
export async function getErasure({ meterOf }: Pick<Services, "meterOf">, accountId: string): Promise<Erasure> {
  const erasure = isId(accountId) ? await meterOf(accountId).erasure() : undefined;
  if (erasure === undefined) throw ERRORS.ErasureNotFound();
  return erasure;
}
