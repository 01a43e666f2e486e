import { EventsQuery, EventsSchema } from "../contract/webhook.ts";
import { toEventMessage } from "../services/events/event-message.ts";
import { listEvents } from "../services/events/list-events.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const events = createRouter();

events.openapi(
  guarded("images:read", {
    operationId: "listEvents",
    method: "get",
    path: "/events",
    tags: ["events"],
    summary: "Events of the last 30 days, oldest first",
    description:
      "A program without a server reads events here. The first call turns events on. They end after 30 days without a call, unless a webhook wants them. Call again with `resumeCursor`.",
    request: { query: EventsQuery },
    responses: { 200: jsonResponse("The events", EventsSchema) },
  }),
  async (c) => {
    const account = accountOf(c);
    const { accountId, config } = account;
    const { events: found, nextCursor, resumeCursor } = await listEvents(account, c.req.valid("query"));
    const shown = found.map((event) => ({
      _id: event.id,
      ...toEventMessage(event, { accountId, cdnUrl: config.cdnUrl }),
    }));
    return c.json({ events: shown, pagination: { nextCursor }, resumeCursor }, 200);
  },
);
