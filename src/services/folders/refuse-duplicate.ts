import { ConstraintError } from "../../db/constraint-error.ts";
import { ERRORS } from "../../domain/errors.ts";

/**
 * Runs a write that fails if a sibling has the name. The index decides, so two concurrent writes cannot both succeed.
 * @throws ServiceError 400
 */
export async function refuseDuplicate<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const isTaken = error instanceof ConstraintError && error.constraint === "unique";
    throw isTaken ? ERRORS.InvalidFolder({ name: "A folder here has this name" }) : error;
  }
}
