import {
  EmailParam,
  MoveBody,
  MoveProgressSchema,
  ShardBody,
  ShardParam,
  ShardsSchema,
  UpdatedSchemaSchema,
} from "../../contract/admin.ts";
import { PageQuery } from "../../contract/query-parameters.ts";
import { updateSchema } from "../../services/schema/update-schema.ts";
import { listShards, moveAccount, openShard } from "../../services/shards/shards.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

/** The schema of the databases, and the shards of the libraries. */
export const shards = createRouter();

shards.openapi(
  guarded("admin", {
    operationId: "updateSchema",
    method: "post",
    path: "/admin/schema",
    tags: ["operator"],
    summary: "Bring the databases' schemas up to date",
    description:
      "Applies the missing migrations of this version to the directory and every shard, each as a whole. New shards are then open.",
    responses: { 200: jsonResponse("The applied migrations", UpdatedSchemaSchema), ...errorResponses(409) },
  }),
  async (c) => c.json({ databases: await updateSchema(c.var.services), version: c.env.VERSION.id }, 200),
);

const NO_FIGURES = { accounts: 0, uploads: 0, storedBytes: 0, databaseBytes: 0 };

shards.openapi(
  guarded("operator", {
    operationId: "listShards",
    method: "get",
    path: "/admin/shards",
    tags: ["operator"],
    summary: "The shards and their figures",
    description: "Each shard is a database with the libraries of some accounts.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The shards", ShardsSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listShards(c.var.services, c.req.valid("query"));
    const shards = rows.map(({ shard, isOpen, figures }) => ({
      shard,
      open: isOpen,
      bound: figures !== undefined,
      ...(figures ?? NO_FIGURES),
    }));
    return c.json({ shards, pagination: { nextCursor } }, 200);
  },
);

shards.openapi(
  guarded("operator", {
    operationId: "updateShard",
    method: "put",
    path: "/admin/shards/{shard}",
    tags: ["operator"],
    summary: "Open a shard for new accounts, or close it",
    description: "Existing libraries stay, and grow.",
    request: { params: ShardParam, body: jsonBody(ShardBody) },
    responses: { 200: jsonResponse("The shard", ShardBody), ...errorResponses(404) },
  }),
  async (c) => {
    const { open } = c.req.valid("json");
    await openShard(c.var.services, c.req.valid("param").shard, open);
    return c.json({ open }, 200);
  },
);

shards.openapi(
  guarded("admin", {
    operationId: "moveAccount",
    method: "post",
    path: "/admin/accounts/{email}/move",
    tags: ["operator"],
    summary: "Move an account's library to another shard",
    description:
      "Takes some seconds; repeat the call while it answers `moving`. Files and lists stay available, changes wait. A move that began is completed even without another call.",
    request: { params: EmailParam, body: jsonBody(MoveBody) },
    responses: { 200: jsonResponse("The progress", MoveProgressSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const progress = await moveAccount(c.var.services, c.req.valid("param").email, c.req.valid("json").shard);
    return c.json(progress, 200);
  },
);
