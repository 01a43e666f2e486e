import { afterAll, beforeAll } from "vitest";
import { memoryShare } from "../../../src/services/uploads/receive/upload-memory.ts";

/**
 * Lets one account hold all memory in a file's tests, so that its large uploads do not wait for each other. The tests' runtime turns off
 * `handle_cross_request_promise_resolution`, without which no request can wake another request. `test/e2e/crowd.test.ts` shows the waits.
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
