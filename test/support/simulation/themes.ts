import type { Habits } from "./clients.ts";
import type { Weather } from "./weather.ts";

/** A schedule of few kinds of request, in weather in which their faults are seen: faults that other schedules hardly find. */
export interface Theme {
  readonly habits: Habits;
  readonly weather: Partial<Weather>;
  readonly dedupes?: true;
  /** Every body comes in pieces, with pauses. */
  readonly hasSlowBodies?: true;
}

const THEMES = {
  /** Expiries come due while their owner changes them. */
  dueExpiries: {
    habits: { upload: 10, renewExpiry: 60, takeDown: 3, restore: 3, get: 5 },
    weather: { fail: 0, lose: 0, die: 0, reset: 0, jump: 0, slow: 0.05 },
  },
  /** Writes of older expiries arrive after newer writes. */
  lateExpiries: {
    habits: { upload: 3, changeExpiry: 60 },
    weather: { fail: 0, lose: 0, die: 0, reset: 0.08, slow: 0, late: 1 },
  },
  /** Files are trashed, restored and deleted from the trash, and deletions of dead objects arrive late. */
  trash: {
    habits: { upload: 5, changeTrash: 60, replace: 4, takeDown: 3, restore: 3 },
    weather: { reset: 0.08, late: 1 },
  },
  /** Equal files are sent at the same time, while the library moves. */
  equalFiles: {
    habits: { upload: 60, moveLibrary: 12 },
    weather: { lose: 0.05, jump: 0 },
    dedupes: true,
    hasSlowBodies: true,
  },
  /** Equal files are sent at the same time, and many of the requests fail after they have written a row. */
  failedTwins: {
    habits: { upload: 60 },
    weather: { fail: 0.2, lose: 0.3, slow: 0.3, die: 0, reset: 0, jump: 0 },
    dedupes: true,
  },
} as const satisfies Readonly<Record<string, Theme>>;

const { dueExpiries, lateExpiries, equalFiles, failedTwins, trash } = THEMES;
/** One schedule in 16 has each of the themes. */
const BY_REMAINDER = new Map<number, Theme>([
  [1, failedTwins],
  [3, trash],
  [5, dueExpiries],
  [9, lateExpiries],
  [13, equalFiles],
]);

export function findTheme(seed: number): Theme | undefined {
  return BY_REMAINDER.get(seed % 16);
}
