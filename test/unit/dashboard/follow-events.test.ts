import { describe, expect, it } from "vitest";
import type { Event, EventPage } from "../../../src/client/types.ts";
import { followEvents, type StreamPlace } from "../../../src/dashboard/developers/events/follow-events.ts";
import { MOST_EVENTS, mergeEvents } from "../../../src/dashboard/developers/events/merge-events.ts";

const event = (id: number) => ({ _id: `msg_${id}`, type: "upload.completed", timestamp: "", data: {} }) as Event;
const answer = (ids: readonly number[], resumeCursor: string, hasMore = false): EventPage => ({
  events: ids.map(event),
  pagination: { nextCursor: hasMore ? resumeCursor : null },
  resumeCursor,
});

/** Runs the stream until it waits after the last answer. An `Error` is a failed request. */
async function follow(answers: readonly (EventPage | Error)[], place: StreamPlace = {}) {
  const stopping = new AbortController();
  const asked: object[] = [];
  const arrived: string[][] = [];
  const errors: unknown[] = [];
  const waits: number[] = [];
  const rest = [...answers];
  await followEvents({
    page: async ({ limit, ...query }) => {
      expect(limit).toBe(MOST_EVENTS);
      asked.push(query);
      const next = rest.shift();
      if (next === undefined || next instanceof Error) throw next;
      return next;
    },
    place,
    onEvents: (events) => arrived.push(events.map(({ _id }) => _id)),
    onError: (error) => errors.push(error),
    wait: async (ms) => {
      waits.push(ms);
      if (rest.length === 0) stopping.abort();
    },
    signal: stopping.signal,
  });
  return { asked, arrived, errors, waits };
}

describe("The stream of events", () => {
  it("The stream begins with the newest events, and asks for later events every five seconds", async () => {
    const { asked, arrived, waits } = await follow([answer([1, 2], "a"), answer([], "a"), answer([3], "b")]);
    expect(asked).toEqual([{ from: "recent" }, { cursor: "a" }, { cursor: "a" }]);
    expect(arrived).toEqual([["msg_1", "msg_2"], [], ["msg_3"]]);
    expect(waits).toEqual([5000, 5000, 5000]);
  });

  it("A stream that has fallen behind continues with the newest events at once", async () => {
    const { asked, waits } = await follow([
      answer([1], "a"),
      answer([2], "b", true),
      answer([9], "c"),
      answer([], "c"),
    ]);
    expect(asked).toEqual([{ from: "recent" }, { cursor: "a" }, { from: "recent" }, { cursor: "c" }]);
    expect(waits).toEqual([5000, 5000, 5000]);
  });

  it("Failures are reported, wait longer and longer, and a minute at most", async () => {
    const failures = Array.from({ length: 6 }, () => new Error("lost"));
    const { asked, errors, waits } = await follow([answer([1], "a"), ...failures, answer([2], "b")]);
    expect(waits).toEqual([5000, 5000, 10_000, 20_000, 40_000, 60_000, 60_000, 5000]);
    expect(errors).toHaveLength(6);
    expect(asked.slice(1)).toEqual(Array.from({ length: 7 }, () => ({ cursor: "a" })));
  });

  it("A stream that reaches the rate waits as long as the service asks, an hour at most", async () => {
    const limited = (retryAfterSeconds: number) =>
      Object.assign(new Error("Rate"), { statusCode: 429, retryAfterSeconds });
    const { waits } = await follow([answer([], "a"), limited(9), limited(1), limited(9_999_999), answer([], "a")]);
    expect(waits).toEqual([5000, 9000, 10_000, 3_600_000, 5000]);
  });

  it("A stream whose cursor is refused begins again with the newest events", async () => {
    const refused = Object.assign(new Error("Invalid cursor"), { statusCode: 400 });
    const { asked } = await follow([refused, answer([], "b")], { cursor: "damaged" });
    expect(asked).toEqual([{ cursor: "damaged" }, { from: "recent" }]);
  });
});

describe("The list of events", () => {
  it("The newest event is first, an event that arrives twice is shown once, and a hundred events are kept", () => {
    const first = mergeEvents([], [event(1), event(2)]);
    expect(first.map(({ _id }) => _id)).toEqual(["msg_2", "msg_1"]);
    expect(mergeEvents(first, [event(2)])).toBe(first);
    expect(mergeEvents(first, [event(2), event(3)]).map(({ _id }) => _id)).toEqual(["msg_3", "msg_2", "msg_1"]);
    const many = mergeEvents(
      first,
      Array.from({ length: 250 }, (_, at) => event(at + 10)),
    );
    expect(many).toHaveLength(MOST_EVENTS);
    expect(many[0]?._id).toBe("msg_259");
  });
});
