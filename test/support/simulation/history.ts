import type { Shard } from "../../../src/domain/shard.ts";
import type { TierName } from "../../../src/domain/tiers.ts";
import type { ClientFile } from "./files.ts";
import type { Party } from "./scheduler.ts";

/** What clients asked for and what they were answered, in the order of the scheduler's steps. */

/** `stored`: answered 201. `refused`: answered that nothing of it is there. `unknown`: a failure, or no answer. */
export interface UploadAttempt {
  readonly file: ClientFile;
  readonly begunAt: number;
  outcome: "open" | "stored" | "refused" | "unknown";
  endedAt: number;
  /** What the answer says. */
  id: string;
  sizeBytes: number;
  readonly deletions: DeletionAttempt[];
}

/** `deleted`: answered 200. `gone`: 404. `refused`: answered that it is there still. */
export interface DeletionAttempt {
  readonly begunAt: number;
  readonly party: () => Party;
  outcome: "open" | "deleted" | "gone" | "refused" | "unknown";
  endedAt: number;
}

/** A change of one value, of which the last one stands. */
export interface ValueChange<T> {
  readonly value: T;
  readonly begunAt: number;
  endedAt: number;
  isAnswered: boolean;
}

export interface FolderRecord {
  readonly id: string;
  readonly parentId: string | null;
  readonly deletions: { outcome: "open" | "deleted" | "unknown" }[];
}

export interface KeyRecord {
  readonly id: string;
  readonly secret: string;
  readonly kind: "upload" | "api";
  readonly madeAt: number;
  /** From when on it must be refused; Infinity while nobody asked for that. */
  refusedFrom: number;
}

export interface AccountRecord {
  readonly email: string;
  readonly password: string;
  /** Of the registration. */
  outcome: "open" | "registered" | "refused" | "unknown";
  id: string;
  token: string;
  readonly uploads: UploadAttempt[];
  readonly folders: FolderRecord[];
  readonly keys: KeyRecord[];
  readonly tiers: ValueChange<TierName>[];
  readonly settings: ValueChange<{ autoCompress: boolean; compressionQuality: number }>[];
  readonly moves: ValueChange<Shard>[];
  /** From when on an erasure may have begun; Infinity while nobody asked for it. */
  eraseBegunAt: number;
  /** From when on it was answered. */
  erasedAt: number;
}

/** An answer, or what the stores hold in the end, that must not be. */
export class Violation extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Violation";
  }
}

/** @throws Violation */
export function must(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Violation(message());
}

export function openAccountRecord(email: string): AccountRecord {
  return {
    ...{ email, password: "a password", outcome: "open", id: "", token: "" },
    ...{ uploads: [], folders: [], keys: [], tiers: [], settings: [], moves: [] },
    ...{ eraseBegunAt: Number.POSITIVE_INFINITY, erasedAt: Number.POSITIVE_INFINITY },
  };
}

/** The value that must stand in the end; undefined where that is open: a change may have failed, or come after another one. */
export function lastValue<T>(changes: readonly ValueChange<T>[]): T | undefined {
  const last = changes.at(-1);
  const isCertain =
    last !== undefined &&
    changes.every((change) => change.isAnswered && (change === last || change.endedAt < last.begunAt));
  return isCertain ? last.value : undefined;
}
