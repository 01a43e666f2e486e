import { afterEach, expect, it, vi } from "vitest";
import { whenOnline } from "../../src/dashboard/design/when-online.ts";

// A part of the page, and a network that comes and goes.

function network(isOnline: boolean): void {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  dispatchEvent(new Event(isOnline ? "online" : "offline"));
}

/** Fails in each of these ways in turn, and then loads. */
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

it("A failed load is tried again when the network is back", async () => {
  network(false);
  const part = whenOnline(failing(() => setTimeout(network, 20, true)));
  expect(await part).toBe(2);
});

it("A failed load is tried again if the network is back before the failure is noticed", async () => {
  network(true);
  const flicker = () => {
    network(false);
    network(true);
  };
  expect(await whenOnline(failing(flicker))).toBe(2);
});

it("A failed load is repeated once if the network was there all the time", async () => {
  network(true);
  expect(await whenOnline(failing(() => undefined))).toBe(2);
});

it("A load that fails twice while the network is there fails", async () => {
  network(true);
  const lost = () => undefined;
  await expect(whenOnline(failing(lost, lost))).rejects.toThrow("Failed to fetch");
});
