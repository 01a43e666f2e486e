import { UpdatedSchemaSchema } from "../../contract/admin.ts";
import { updateSchema as update } from "../../services/schema/update-schema.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "updateSchema",
  method: "post",
  path: "/admin/schema",
  tags: ["operator"],
  summary: "Bring the database's schema up to date",
  description: "Applies the migrations that this version of the service needs and the database lacks, each as a whole.",
  responses: { 200: jsonResponse("What was applied", UpdatedSchemaSchema) },
});

export const updateSchema = createRouter().openapi(route, async (c) =>
  c.json({ applied: await update(c.var.services), version: c.env.VERSION.id }, 200),
);
