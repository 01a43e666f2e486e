import { toLogLine } from "../domain/log-line.ts";
import type { FileViewed } from "../domain/queue-messages.ts";
import { newViewId } from "../domain/view-pack.ts";
import type { CdnEnv } from "./env.ts";
import type { JournaledView } from "./journal-store.ts";
import type { RequestedFile } from "./object-path.ts";
import { ViewGroup } from "./view-group.ts";
import { wholeNumber } from "./whole-number.ts";

const DEFAULT_JOURNALS = 4;
const MAX_JOURNALS = 256;
const MAX_TRIES = 3;
const PAUSE_MS = 100;
/**
 * A journal that does not answer in this time is not called again, because it may be overloaded. All tries take less than the 30 seconds
 * that the platform allows after a response (Workers documentation, "Context", waitUntil).
 */
const ANSWER_MS = 10_000;

class NoAnswer extends Error {}

type Bindings = Pick<CdnEnv, "VIEW_JOURNAL" | "VIEW_JOURNALS" | "VIEWS">;

/** The group of each journal namespace. */
const groups = new WeakMap<Bindings["VIEW_JOURNAL"], ViewGroup>();

/** The store that has the view. `queue`: perhaps a journal has it, too. Else certainly no store has it. */
export type ViewKeeper = "journal" | "queue" | "nobody";

export interface RecordedView {
  readonly viewId: string;
  readonly keeper: ViewKeeper;
}

/**
 * Records a view. If every try fails, the view is not counted, but the file is still served. All tries send the same id and time, so the
 * view counts once.
 * @param bytes the bytes that were sent; they are not counted if no journal confirms the view
 */
export async function recordView(
  env: Bindings,
  { accountId, uploadId, objectKey }: RequestedFile,
  bytes = 0,
): Promise<RecordedView> {
  const [viewId, viewedAt] = [newViewId(), Date.now()];
  const view = { id: viewId, at: viewedAt, accountId, resourceId: uploadId, bytes };
  if (await groupOf(env).record(view, (views) => journal(env, views))) {
    return { viewId, keeper: "journal" };
  }
  const isSent = await send(env.VIEWS, { type: "file.viewed", viewId, accountId, objectKey, viewedAt });
  return { viewId, keeper: isSent ? "queue" : "nobody" };
}

function groupOf({ VIEW_JOURNAL }: Bindings): ViewGroup {
  const known = groups.get(VIEW_JOURNAL);
  if (known !== undefined) return known;
  const group = new ViewGroup();
  groups.set(VIEW_JOURNAL, group);
  return group;
}

/** @returns for each view whether a journal certainly has it */
async function journal(env: Bindings, views: readonly JournaledView[]): Promise<boolean[]> {
  // The id is random, so a popular account's views spread over the journals, and all tries reach the same journal.
  const journals = wholeNumber(env.VIEW_JOURNALS, 1, MAX_JOURNALS, DEFAULT_JOURNALS);
  const name = `views-${Number.parseInt((views[0]?.id ?? "0").slice(0, 8), 16) % journals}`;
  try {
    return await tryAgain(async () => {
      // Each try needs a new stub, because a stub that threw may throw forever.
      const receipts = await withinTime(env.VIEW_JOURNAL.getByName(name).record(views));
      return receipts.map((receipt) => receipt === "recorded");
    }, isTooMuch);
  } catch (error) {
    console.error(toLogLine("journal.not-reached", { journal: name }, error));
    return [];
  }
}

async function send(views: CdnEnv["VIEWS"], view: FileViewed): Promise<boolean> {
  try {
    await tryAgain(() => views.send(view));
    return true;
  } catch (error) {
    console.error(toLogLine("view.not-recorded", { accountId: view.accountId }, error));
    return false;
  }
}

/** The receiver may have stored a view although the attempt failed. The view's id identifies the repetition. */
async function tryAgain<T>(attempt: () => Promise<T>, isFinal: (error: unknown) => boolean = () => false): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === MAX_TRIES || isFinal(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries * (1 + Math.random())));
    }
  }
}

/** Further calls would overload it more (Durable Objects documentation, "Error handling"). */
function isTooMuch(error: unknown): boolean {
  return error instanceof NoAnswer || (error as { readonly overloaded?: boolean } | null)?.overloaded === true;
}

async function withinTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`within ${ANSWER_MS} ms`)), ANSWER_MS);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
