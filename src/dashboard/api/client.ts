import { createClient } from "../../client/index.ts";
import { pacedFetch } from "./paced-fetch.ts";

/** The service of this page, as whoever is logged in here: the cookie is the credential, scripts never see it. */
export const api = createClient({ baseUrl: location.origin, fetch: pacedFetch });
