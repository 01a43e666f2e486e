import { createCalls } from "../../client/calls.ts";
import { Connection } from "../../client/connection.ts";
import { pacedFetch } from "./paced-fetch.ts";

/** The service of this page, as whoever is logged in here: the cookie is the credential, scripts never see it. */
export const connection = new Connection({ baseUrl: location.origin, fetch: pacedFetch });

/** What can be asked of it. Uploads are not in it: what sends them is loaded with the first file. */
export const api = createCalls(connection);
