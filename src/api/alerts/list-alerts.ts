import { AlertsSchema } from "../../contract/alert.ts";
import { listAlerts as list } from "../../services/alerts/list-alerts.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toAlertBody } from "./to-alert-body.ts";

const route = guarded("api", {
  operationId: "listAlerts",
  method: "get",
  path: "/alerts",
  tags: ["alerts"],
  summary: "Usage alerts of the last year, newest first (Pro, Business)",
  description:
    "One at 50, 80, 90 and 100 % of the month's operations, once each a month; the highest alone where several are reached at once.",
  responses: { 200: jsonResponse("The alerts", AlertsSchema) },
});

export const listAlerts = createRouter().openapi(route, async (c) =>
  c.json({ alerts: (await list(accountOf(c))).map(toAlertBody) }, 200),
);
