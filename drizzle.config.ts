import { defineConfig } from "drizzle-kit";

// A new migration: edit src/db/schema.ts, then `npm run migration -- --name what_it_is_for`.
export default defineConfig({ dialect: "sqlite", schema: "./src/db/schema.ts", out: "./migrations" });
