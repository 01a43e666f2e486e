import type { JournaledView } from "./journal-store.ts";

/** Views that arrive within this time are recorded together. */
const GATHER_MS = 100;
/** The most views of one call; a view takes about 100 bytes. */
const MAX_VIEWS = 500;
/** The other requests look first when the journal has very likely answered, because each look costs a timer. */
const FIRST_LOOK_MS = 500;
const LOOK_MS = 250;
/** Longer than a journal may take. The platform may end a request before it reports an outcome. */
const MAX_WAIT_MS = 11_000;

/** @returns for each view, in order, whether it is certainly recorded */
export type RecordViews = (views: readonly JournaledView[]) => Promise<readonly boolean[]>;

interface Group {
  readonly begunAt: number;
  readonly views: JournaledView[];
  /** Whether each view is certainly recorded; undefined until the call ends. */
  recorded?: readonly boolean[];
}

/**
 * Records the views of several requests of an isolate in one call. A request can use only its own I/O, so the first request of a group
 * waits for others, makes the call and stores the outcome. The others look for it with their own timers.
 */
export class ViewGroup {
  #gathering: Group | undefined;

  /** @returns whether the view is certainly recorded */
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

/** A group whose first request was ended by the platform accepts no more views. */
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
