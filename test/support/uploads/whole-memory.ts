import { afterAll, beforeAll } from "vitest";
import { memoryShare } from "../../../src/services/uploads/receive/upload-memory.ts";

/**
 * Lets one account hold all memory in the tests of a file, so that its large uploads do not wait for each other. The tests' runtime turns
 * off `handle_cross_request_promise_resolution`; without it, no request can resolve the promise of another. `test/e2e/crowd.test.ts` tests
 * the waits.
 */
export function giveAccountsWholeMemory(): void {
  const { ofAccount } = memoryShare;
  beforeAll(() => {
    memoryShare.ofAccount = 1;
  });
  afterAll(() => {
    memoryShare.ofAccount = ofAccount;
  });
}
