import { env } from "cloudflare:workers";
import { migrate } from "../../../src/db/migrate.ts";
import { MIGRATIONS } from "../../../src/db/migrations.ts";

// The schema of every test is the one the migrations make.
await migrate(env.DB, MIGRATIONS);
