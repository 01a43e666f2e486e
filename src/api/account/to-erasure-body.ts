import type { z } from "@hono/zod-openapi";
import type { ErasureSchema } from "../../contract/account.ts";
import type { Erasure } from "../../services/records.ts";

export function toErasureBody(erasure: Erasure): z.infer<typeof ErasureSchema> {
  if (erasure.outcome === "erasing") return { status: "erasing", erasedAt: null };
  return { status: "erased", erasedAt: new Date(erasure.erasedAt).toISOString() };
}
