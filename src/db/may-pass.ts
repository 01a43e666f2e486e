/**
 * The failures of D1 that its documentation tells to try again ("Debug D1", list of errors). A statement that took too long
 * is none of them, nor is an overloaded database: trying again would make both worse.
 */
const PASSING =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|transient issue on remote node/i;

/** Whether a failed statement is worth another try, in its own words or in those of what caused it. */
export function mayPass(error: unknown): boolean {
  return error instanceof Error && (PASSING.test(error.message) || mayPass(error.cause));
}
