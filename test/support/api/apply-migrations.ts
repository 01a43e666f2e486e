import { env } from "cloudflare:workers";
import { openServices } from "../../../src/services/open-services.ts";
import { updateSchema } from "../../../src/services/schema/update-schema.ts";

// All of the service is known from the beginning (`../prepare-modules.ts`), not first when a test asks it something.
import "./worker.ts";

// The schema of every test is the one the migrations make.
await updateSchema(openServices(env, { origin: "", waitUntil: () => undefined }));
