import type { JournaledView } from "./journal-store.ts";

/** Views that come within this time go together. */
const GATHER_MS = 100;
/** Of one call: some 100 bytes each. */
const MAX_VIEWS = 500;
/** The others look first when the group is gathered and its journal has very likely answered; each look costs a timer. */
const FIRST_LOOK_MS = 500;
const LOOK_MS = 250;
/** Longer than a journal may take. A request that was ended by force tells nobody how it went. */
const MAX_WAIT_MS = 11_000;

/** @returns which of the views are recorded for sure, in their order */
export type RecordViews = (views: readonly JournaledView[]) => Promise<readonly boolean[]>;

interface Group {
  readonly begunAt: number;
  readonly views: JournaledView[];
  /** Which of them are recorded for sure; undefined until that is known. */
  recorded?: readonly boolean[];
}

/**
 * Views of several requests of an isolate, told in one call. A request can use only what it has opened itself: so the first of a group
 * waits for others, makes the call with what is its own, and leaves word of how it went, which the others look for by timers of theirs.
 */
export class ViewGroup {
  #gathering: Group | undefined;

  /** @returns whether the view is recorded for sure */
  async record(view: JournaledView, recordViews: RecordViews): Promise<boolean> {
    const group = this.#gathering;
    return group !== undefined && mayJoin(group, view.at) ? follow(group, view) : this.#lead(view, recordViews);
  }

  async #lead(view: JournaledView, recordViews: RecordViews): Promise<boolean> {
    const group: Group = { begunAt: view.at, views: [view] };
    this.#gathering = group;
    await sleep(GATHER_MS);
    if (this.#gathering === group) this.#gathering = undefined;
    group.recorded = await recordViews(group.views).catch(() => []);
    return group.recorded[0] === true;
  }
}

/** One whose first request was ended by force takes nobody any more. */
function mayJoin({ begunAt, views }: Group, now: number): boolean {
  return now >= begunAt && now < begunAt + 2 * GATHER_MS && views.length < MAX_VIEWS;
}

async function follow(group: Group, view: JournaledView): Promise<boolean> {
  const place = group.views.push(view) - 1;
  await sleep(FIRST_LOOK_MS);
  for (let waitedMs = FIRST_LOOK_MS; group.recorded === undefined && waitedMs < MAX_WAIT_MS; waitedMs += LOOK_MS) {
    await sleep(LOOK_MS);
  }
  return group.recorded?.[place] === true;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
