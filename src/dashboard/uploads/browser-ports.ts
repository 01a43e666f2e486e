import { api } from "../api/client.ts";
import { readUsage } from "../api/usage-store.ts";
import { findStored } from "./look-up.ts";
import type { Ports } from "./ports.ts";
import { discard, send } from "./send.ts";

/** What the queue works with in a page. */
export const browserPorts: Ports = {
  send,
  discard,
  async lookUp(sought, known) {
    const { images } = await api.imagePage({ folderId: sought.folderId ?? "root", status: "all", limit: 100 });
    return findStored(images, sought, known);
  },
  async remove(id) {
    await api.delete(id);
  },
  concurrency: () => ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData ? 2 : 3),
  storageLimitBytes: () => readUsage()?.storage.limit,
  isOnline: () => navigator.onLine,
  newKey: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  now: () => Date.now(),
  random: () => Math.random(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
