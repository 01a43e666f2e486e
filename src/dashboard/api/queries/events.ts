import { Connection } from "../../../client/connection.ts";
import { createEvents } from "../../../client/events.ts";
import { pacedFetch } from "../paced-fetch.ts";

/** Calls for the account's events, without retries: the stream asks again anyway. The first call has the service record events. */
export const eventCalls = createEvents({
  connection: new Connection({ baseUrl: location.origin, fetch: pacedFetch, retries: 0 }),
});
