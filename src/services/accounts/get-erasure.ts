import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { Erasure } from "../../meter/account/outcomes.ts";
import type { Services } from "../context.ts";
import { readReceipt } from "./erasure-receipt.ts";

/**
 * The progress of the erasure of a receipt.
 * @throws ServiceError 404 if the receipt is forged or its record expired
 */
export async function getErasureByReceipt(services: Services, receipt: string): Promise<Erasure> {
  const accountId = await readReceipt(receipt, services.config.receiptSecret);
  if (accountId === undefined) throw ERRORS.ErasureNotFound();
  return getErasure(services, accountId);
}

/**
 * The progress of an account's erasure, for the operator.
 * @throws ServiceError 404 if none was requested or its record expired
 */
export async function getErasure({ meterOf }: Pick<Services, "meterOf">, accountId: string): Promise<Erasure> {
  const erasure = isId(accountId) ? await meterOf(accountId).erasure() : undefined;
  if (erasure === undefined) throw ERRORS.ErasureNotFound();
  return erasure;
}
