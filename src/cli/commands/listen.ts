import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "../../client/connection.ts";
import { type Event, type EventPage, MediaHostError } from "../../client/index.ts";
import { type Call, type Context, defineCommand, type Options } from "../command-line/command.ts";
import { isCredentialRefused, UsageError } from "../command-line/failures.ts";
import { forwardEvent } from "../listen/forward-event.ts";
import { ListenState } from "../listen/listen-state.ts";
import { printable } from "../terminal/printable.ts";
import { say } from "../terminal/say.ts";

const POLL_MS = 2000;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

const options = {
  "forward-to": {
    type: "string",
    value: "URL",
    summary: "where to send the events, such as http://localhost:3000/hook",
  },
  event: { type: "string", multiple: true, value: "TYPE", summary: "only events of this type; may be repeated" },
} as const satisfies Options;

export const listenCommand = defineCommand({
  name: "listen",
  summary: "forward events to a program on this machine, signed like a webhook",
  args: "",
  options,
  notes: [
    "A later run continues after the last event, with the same secret. The first run begins with the next event.",
  ],
  examples: [
    ["--forward-to http://localhost:3000/hook", "every event, until Ctrl-C"],
    ["--forward-to http://localhost:3000/hook --event upload.completed", "only stored uploads"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    if (positionals.length > 0) throw new UsageError("listen takes no argument");
    const url = toReceiver(values["forward-to"]);
    const { baseUrl, credential } = await connect();
    const service = new Connection({ baseUrl, key: credential.secret });
    const state = await ListenState.open(context.env, baseUrl, credential);
    const { secret } = state.listener;
    say(context, values, `secret: ${secret}`);
    say(context, values, `forwarding to ${url}; Ctrl-C ends it`);
    const { signal } = context;
    while (!signal.aborted) {
      const page = await readPage(context, values, service, state.listener.cursor);
      if (page === undefined) return;
      for (const event of page.events) {
        if (values.event !== undefined && !values.event.includes(event.type)) continue;
        const status = await forward(context, values, event, { url, secret });
        if (status === undefined) return;
        if (values.json) await context.output.json({ ...event, status });
        else await context.output.line(printable(`${event.timestamp}  ${event.type}  ${subjectOf(event)}  ${status}`));
      }
      // A run that is ended before this sends the page's events again.
      await state.moveTo(page.resumeCursor);
      if (page.pagination.nextCursor === null) await pause(POLL_MS, signal);
    }
  },
});

/** @throws UsageError */
function toReceiver(text: string | undefined): string {
  if (text === undefined) throw new UsageError("where to? Say --forward-to http://localhost:3000/hook");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new UsageError(`"${text}" is no http address`);
  return url.href;
}

/** Waits for a service that does not answer. @returns undefined after Ctrl-C. @throws MediaHostError if it refuses the request */
async function readPage(
  context: Context,
  values: { readonly quiet?: boolean },
  service: Connection,
  cursor: string | undefined,
): Promise<EventPage | undefined> {
  return persist(context, async () => {
    try {
      const query = cursor === undefined ? { from: "now" } : { cursor };
      return await service.call<EventPage>("GET", "/events", { query, signal: context.signal });
    } catch (error) {
      const status = error instanceof MediaHostError ? error.statusCode : 0;
      const isFinal =
        error instanceof MediaHostError && (isCredentialRefused(error) || (status >= 400 && status < 429));
      if (isFinal || context.signal.aborted) throw error;
      say(context, values, `the service does not answer, trying again: ${reasonOf(error)}`);
      return undefined;
    }
  });
}

/** Waits for a receiver that does not answer. @returns its status; undefined after Ctrl-C */
async function forward(
  context: Context,
  values: { readonly quiet?: boolean },
  event: Event,
  receiver: { readonly url: string; readonly secret: string },
): Promise<number | undefined> {
  let isReported = false;
  return persist(context, async () => {
    try {
      return await forwardEvent(event, { ...receiver, signal: context.signal });
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (!isReported) say(context, values, `${receiver.url} does not answer, trying again: ${reasonOf(error)}`);
      isReported = true;
      return undefined;
    }
  });
}

/** Repeats work with growing pauses until it has a result. @returns undefined after Ctrl-C */
async function persist<T>({ signal }: Context, work: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let pauseMs = FIRST_RETRY_MS; ; pauseMs = Math.min(MAX_RETRY_MS, 2 * pauseMs)) {
    try {
      const result = await work();
      if (result !== undefined) return result;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
    await pause(pauseMs, signal);
    if (signal.aborted) return undefined;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

function subjectOf({ data }: Event): string {
  const { _id, originalFilename } = data as { _id?: unknown; originalFilename?: unknown };
  return String(originalFilename ?? _id ?? "");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
