import type { ItemState } from "../../domain/imports.ts";

export type ItemCounts = Readonly<Record<ItemState, number>>;

export interface StoredImport {
  readonly id: string;
  readonly createdAt: number;
  readonly total: number;
  /** Set if its owner stopped it. */
  readonly stoppedAt: number | null;
  readonly endedAt: number | null;
  readonly counts: ItemCounts;
}
