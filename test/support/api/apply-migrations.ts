import { env } from "cloudflare:workers";
import { afterAll } from "vitest";
import { openServices } from "../../../src/services/open-services.ts";
import { updateSchema } from "../../../src/services/schema/update-schema.ts";
import { endPlans } from "./account-state.ts";

// All of the service is loaded from the beginning (`../prepare-modules.ts`), not with a test's first request.
import "./worker.ts";

// The migrations make the schema of every test.
await updateSchema(openServices(env, { origin: "", waitUntil: () => undefined }));

afterAll(endPlans);
