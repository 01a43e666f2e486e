import { ShardsSchema } from "../../contract/admin.ts";
import { listShards as list } from "../../services/shards/list-shards.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const NO_FIGURES = { accounts: 0, uploads: 0, storedBytes: 0, databaseBytes: 0 };

const route = guarded("admin", {
  operationId: "listShards",
  method: "get",
  path: "/admin/shards",
  tags: ["operator"],
  summary: "The databases that libraries are in, and what they hold",
  responses: { 200: jsonResponse("Every shard", ShardsSchema) },
});

export const listShards = createRouter().openapi(route, async (c) => {
  const shards = await list(c.var.services);
  return c.json(
    {
      shards: shards.map(({ shard, isOpen, figures }) => ({
        shard,
        open: isOpen,
        bound: figures !== undefined,
        ...(figures ?? NO_FIGURES),
      })),
    },
    200,
  );
});
