import type { Shard } from "../../../src/domain/ids.ts";
import type { TierName } from "../../../src/domain/tiers.ts";
import type { Visibility } from "../../../src/domain/visibility.ts";
import type { ClientFile } from "./files.ts";
import type { Party } from "./scheduler.ts";

/** The requests of clients and their answers, in the order of the scheduler's steps. */

/** `stored`: answered 201. `refused`: the answer means that nothing is stored. `unknown`: a failure, or no answer. */
export interface UploadAttempt {
  readonly file: ClientFile;
  readonly begunAt: number;
  outcome: "open" | "stored" | "refused" | "unknown";
  endedAt: number;
  /** The id in the answer. */
  id: string;
  sizeBytes: number;
  readonly deletions: DeletionAttempt[];
  /** The path in URLs; empty until the upload is answered. */
  objectKey: string;
  readonly visibilities: ValueChange<Visibility>[];
  /** The bytes that it was given, the uploaded ones first. A refused replacement is left out. */
  readonly contents: ValueChange<ClientFile>[];
  /** Whether the operator's last request was a takedown. */
  readonly takedowns: ValueChange<boolean>[];
  /** The times at which its owner has it deleted; null for never. */
  readonly expiries: ValueChange<number | null>[];
  /** The last takedown that an answer has named; undefined if its bytes are destroyed. */
  keptTakedown?: string | undefined;
  /** Whether its request stores no second file with the same bytes (UP-14). */
  readonly dedupes?: boolean;
  /** Whether an answer has said that it does not exist any more. */
  isGone?: boolean;
  /** Whether a request may have moved it to the trash, in which no duplicate is found. */
  mayBeTrashed?: boolean;
  /** Whether a takedown that destroys the bytes has begun after the last answered takedown that kept them. */
  mayBeDestroyed?: boolean;
}

/** `deleted`: answered 200. `gone`: 404. `refused`: the answer means that the file still exists. */
export interface DeletionAttempt {
  readonly begunAt: number;
  readonly party: () => Party;
  /** The account's alarm may delete the upload from then on. */
  readonly isExpiry?: true;
  outcome: "open" | "deleted" | "gone" | "refused" | "unknown";
  endedAt: number;
}

/** Changes of one value. The last change decides. */
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
  /** The step from which the key must be refused; Infinity if no request revoked it. */
  refusedFrom: number;
}

export interface TokenRecord {
  readonly id: string;
  readonly secret: string;
  /** The step from which the token must be refused; Infinity if no request revoked it. */
  refusedFrom: number;
}

/** The token that a guest's page has. */
export interface GuestTokenRecord extends TokenRecord {
  /** The step at which a visitor requested the page. */
  readonly begunAt: number;
}

export interface ShareRecord {
  readonly id: string;
  readonly tokens: GuestTokenRecord[];
  /** The step from which its page must be refused; Infinity if no request ended it. */
  refusedFrom: number;
}

export interface SessionRecord {
  readonly token: string;
  /** The step from which the session must be refused; Infinity if nothing has ended it. */
  refusedFrom: number;
}

export interface AccountRecord {
  /** Of the registration. */
  readonly email: string;
  readonly emails: ValueChange<string>[];
  readonly passwords: ValueChange<string>[];
  /** Of the registration. */
  outcome: "open" | "registered" | "refused" | "unknown";
  id: string;
  /** The token of the session that was opened last. */
  token: string;
  readonly sessions: SessionRecord[];
  readonly uploads: UploadAttempt[];
  readonly folders: FolderRecord[];
  readonly keys: KeyRecord[];
  readonly uploadTokens: TokenRecord[];
  readonly shares: ShareRecord[];
  /** The ids of imports that were answered. */
  readonly imports: string[];
  readonly tiers: ValueChange<TierName>[];
  readonly settings: ValueChange<{ autoCompress: boolean; compressionQuality: number }>[];
  readonly moves: ValueChange<Shard>[];
  /** The step from which an erasure may have begun; Infinity if no request asked for it. */
  eraseBegunAt: number;
  /** The step at which it was answered. */
  erasedAt: number;
}

/** A wrong answer, or a wrong final state of the stores. */
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
    email,
    emails: [],
    passwords: [],
    outcome: "open",
    id: "",
    token: "",
    sessions: [],
    uploads: [],
    folders: [],
    keys: [],
    uploadTokens: [],
    shares: [],
    imports: [],
    tiers: [],
    settings: [],
    moves: [],
    eraseBegunAt: Number.POSITIVE_INFINITY,
    erasedAt: Number.POSITIVE_INFINITY,
  };
}

export function beginChange<T>(changes: ValueChange<T>[], value: T, now: number): ValueChange<T> {
  const change = { value, begunAt: now, endedAt: Number.POSITIVE_INFINITY, isAnswered: false };
  changes.push(change);
  return change;
}

export function endChange(change: ValueChange<unknown>, isAnswered: boolean, now: number): void {
  change.endedAt = now;
  change.isAnswered = isAnswered;
}

/** The value that must be stored in the end; undefined if several are possible: a change may have failed, or overtaken a newer change. */
export function lastValue<T>(changes: readonly ValueChange<T>[]): T | undefined {
  const last = changes.at(-1);
  const isCertain =
    last !== undefined &&
    changes.every((change) => change.isAnswered && (change === last || change.endedAt < last.begunAt));
  return isCertain ? last.value : undefined;
}

/** Whether an answered change was begun after this change had ended. */
export function isPast({ endedAt }: ValueChange<unknown>, changes: readonly ValueChange<unknown>[]): boolean {
  return changes.some((later) => later.isAnswered && later.begunAt > endedAt);
}
