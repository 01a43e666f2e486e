import { ERRORS } from "../../domain/errors.ts";

/**
 * Runs a write that fails where a sibling has the name; the index decides, so two writes at once cannot both win.
 * @throws ServiceError 400
 */
export async function refuseDuplicate<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    if (/UNIQUE constraint failed/i.test(String(cause)))
      throw ERRORS.InvalidFolder({ name: "A folder here has this name" });
    throw error;
  }
}
