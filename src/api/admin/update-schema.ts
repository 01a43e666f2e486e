import { UpdatedSchemaSchema } from "../../contract/admin.ts";
import { updateSchema as update } from "../../services/schema/update-schema.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "updateSchema",
  method: "post",
  path: "/admin/schema",
  tags: ["operator"],
  summary: "Bring the databases' schemas up to date",
  description:
    "Applies to the directory and to every shard the migrations that this version of the service needs and it lacks, each as a whole. A shard that is new is open from then on.",
  responses: { 200: jsonResponse("What was applied", UpdatedSchemaSchema), ...errorResponses(409) },
});

export const updateSchema = createRouter().openapi(route, async (c) =>
  c.json({ databases: await update(c.var.services), version: c.env.VERSION.id }, 200),
);
