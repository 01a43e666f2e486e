import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

// The schema of every test is the one the migrations make.
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
