import { ReportBody, ReportedSchema } from "../../contract/report.ts";
import { fileReport as file } from "../../services/operator/reports.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("open", {
  operationId: "fileReport",
  method: "post",
  path: "/reports",
  tags: ["service"],
  summary: "Report a file to the operator",
  description: "Ten an hour for each address. `GET /report` is a page with a form.",
  request: { body: jsonBody(ReportBody) },
  responses: { 201: jsonResponse("The report is filed", ReportedSchema), ...errorResponses(403) },
});

export const fileReport = createRouter().openapi(route, async (c) => {
  const { hostname } = new URL(c.req.url);
  const id = await file(c.var.services, c.req.valid("json"), { address: c.var.client.address, hostname });
  return c.json({ id, message: "Thank you. The operator will read your report." }, 201);
});
