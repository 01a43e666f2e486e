import { type Shipment, spreadBytes } from "./next-shipment.ts";
import type { FileOutcome, Ports } from "./ports.ts";
import type { Entry } from "./upload-item.ts";

/** The service remembers a request's key for ten minutes. */
const KNOWN_MS = 9 * 60_000;

export interface Delivery {
  readonly ports: Ports;
  /** Ids of stored files that are known to belong to another entry. */
  readonly known: ReadonlySet<string>;
  readonly settle: (entry: Entry, outcome: FileOutcome) => void;
  readonly changed: () => void;
}

/**
 * Sends a request, without retries. First it looks up files that an earlier try may have stored.
 * @throws Failure, or the reason of the shipment's signal
 */
export async function deliver(shipment: Shipment, delivery: Delivery): Promise<void> {
  const { ports, settle, changed } = delivery;
  const { sentAt } = shipment;
  const isForgotten = shipment.isLost && sentAt !== undefined && ports.now() - sentAt > KNOWN_MS;
  if (isForgotten || shipment.entries.some(({ mayBeStoredSince }) => mayBeStoredSince !== undefined)) {
    await findStored(shipment, isForgotten ? sentAt : undefined, delivery);
  }
  // A request whose response was lost can only be repeated with all of its files.
  if (!shipment.isLost) shipment.entries = shipment.entries.filter(({ state }) => state !== "cancelled");
  const { entries } = shipment;
  const [first] = entries;
  const files = entries.flatMap(({ file }) => file ?? []);
  if (first === undefined || entries.every(({ state }) => state === "cancelled")) return;
  const sizes = entries.map(({ sizeBytes }) => sizeBytes);
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
  const tell = (sentBytes: number) => {
    for (const [at, sent] of spreadBytes(sentBytes, sizes).entries()) {
      const entry = entries[at];
      if (entry === undefined || entry.state === "cancelled") continue;
      entry.sentBytes = sent;
      entry.state = sentBytes >= totalBytes ? "processing" : "sending";
    }
    changed();
  };
  tell(0);
  shipment.sentAt ??= ports.now();
  const outcomes = await ports.send(files, first.target, {
    idempotencyKey: shipment.key,
    signal: shipment.controller.signal,
    onProgress: tell,
  });
  for (const [at, entry] of entries.entries()) {
    settle(entry, outcomes[at] ?? { error: { message: "No answer for this file", statusCode: 500 } });
  }
}

/**
 * Settles files that are stored already.
 * @param forgottenSince the time of a request whose response was lost and whose key has expired; undefined if there is none
 */
async function findStored(shipment: Shipment, forgottenSince: number | undefined, delivery: Delivery): Promise<void> {
  const { ports, known, settle } = delivery;
  const left: Entry[] = [];
  for (const entry of shipment.entries) {
    // A match is too uncertain to delete a file. If a cancelled file was stored, it stays in the library.
    if (entry.state === "cancelled") continue;
    const { name, sizeBytes, target, mayBeStoredSince: since = forgottenSince } = entry;
    const found = since && (await ports.lookUp({ name, sizeBytes, folderId: target.folderId, since }, known));
    if (found) settle(entry, found);
    else left.push(entry);
  }
  shipment.entries = left;
  if (forgottenSince !== undefined) Object.assign(shipment, { key: ports.newKey(), isLost: false, sentAt: undefined });
}
