import { env } from "cloudflare:workers";
import { openServices } from "../../../src/services/open-services.ts";
import "./worker.ts";
import { updateSchema } from "../../../src/services/schema/update-schema.ts";

// The schema of every test is the one the migrations make.
await updateSchema(openServices(env, { origin: "", waitUntil: () => undefined }));
