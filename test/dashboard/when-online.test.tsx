import { afterEach, expect, it, vi } from "vitest";
import { whenOnline } from "../../src/dashboard/design/when-online.ts";

// A part of the page, and a network that comes and goes.

function network(isOnline: boolean): void {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  dispatchEvent(new Event(isOnline ? "online" : "offline"));
}

/** What fails, by and by, and then loads. */
function failing(...fates: (() => void)[]) {
  let tries = 0;
  return async () => {
    const fate = fates[tries];
    tries += 1;
    if (fate === undefined) return tries;
    fate();
    throw new TypeError("Failed to fetch dynamically imported module");
  };
}

afterEach(() => vi.restoreAllMocks());

it("is tried again when the network is back", async () => {
  network(false);
  const part = whenOnline(failing(() => setTimeout(network, 20, true)));
  expect(await part).toBe(2);
});

it("is tried again where the failure is heard of when the network is back already", async () => {
  network(true);
  const flicker = () => {
    network(false);
    network(true);
  };
  expect(await whenOnline(failing(flicker))).toBe(2);
});

it("fails where the network was there all the time", async () => {
  network(true);
  await expect(whenOnline(failing(() => undefined))).rejects.toThrow("Failed to fetch");
});
