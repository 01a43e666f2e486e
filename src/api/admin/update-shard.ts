import { ShardBody, ShardParam } from "../../contract/admin.ts";
import { openShard } from "../../services/shards/open-shard.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "updateShard",
  method: "put",
  path: "/admin/shards/{shard}",
  tags: ["operator"],
  summary: "Open a shard for new accounts, or close it",
  description: "The libraries that are there stay, and grow.",
  request: { params: ShardParam, body: jsonBody(ShardBody) },
  responses: { 200: jsonResponse("How it is now", ShardBody), ...errorResponses(404) },
});

export const updateShard = createRouter().openapi(route, async (c) => {
  const { open } = c.req.valid("json");
  await openShard(c.var.services, c.req.valid("param").shard, open);
  return c.json({ open }, 200);
});
