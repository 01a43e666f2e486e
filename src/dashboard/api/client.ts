import { createCalls } from "../../client/calls.ts";
import { Connection } from "../../client/connection.ts";
import { pacedFetch } from "./paced-fetch.ts";

/** The connection to this page's origin. The session cookie is the credential; scripts cannot read it. */
export const connection = new Connection({ baseUrl: location.origin, fetch: pacedFetch });

/** All API calls except uploads, whose code is loaded with the first file. */
export const api = createCalls(connection);
