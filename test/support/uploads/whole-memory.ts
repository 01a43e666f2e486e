import { afterAll, beforeAll } from "vitest";
import { WINDOW_BYTES } from "../../../src/multipart/byte-window.ts";
import { memoryShare, windows } from "../../../src/services/uploads/receive/upload-memory.ts";

/**
 * Lets one account hold all memory in the tests of a file, so that its uploads do not wait for each other. The tests' runtime turns off
 * `handle_cross_request_promise_resolution`; without it, no request can resolve the promise of another. `test/e2e/crowd.test.ts` tests the
 * waits.
 * @param bodies the number of bodies that are read at once, if it is more than the service reads
 */
export function giveAccountsWholeMemory(bodies = 0): void {
  const { ofAccount } = memoryShare;
  const { totalBytes } = windows;
  const setWindows = (bytes: number) => Object.assign(windows, { totalBytes: bytes });
  beforeAll(() => {
    memoryShare.ofAccount = 1;
    setWindows(Math.max(totalBytes, bodies * WINDOW_BYTES));
  });
  afterAll(() => {
    memoryShare.ofAccount = ofAccount;
    setWindows(totalBytes);
  });
}
