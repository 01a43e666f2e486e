import { OperationDaysQuery, OperationDaysSchema } from "../../contract/operation-days.ts";
import { toDate } from "../../domain/calendar.ts";
import { toOperations } from "../../domain/operations.ts";
import { listOperationDays } from "../../services/usage/list-operation-days.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("account", {
  operationId: "listOperationDays",
  method: "get",
  path: "/stats/operations",
  tags: ["stats"],
  summary: "The operations of each day",
  description:
    "The last 90 days; earlier and future days are left out. The days since the month began add up to " +
    "`GET /stats/overview`. A view belongs to the day on which it is counted, about a minute later.",
  request: { query: OperationDaysQuery },
  responses: { 200: jsonResponse("The days", OperationDaysSchema) },
});

export const getOperations = createRouter().openapi(route, async (c) => {
  const { from, to } = c.req.valid("query");
  const days = await listOperationDays(accountOf(c), { from: toTime(from), to: toTime(to) });
  return c.json(
    {
      days: days.map(({ day, classATenths, classBTenths }) => ({
        date: toDate(day),
        classA: toOperations(classATenths),
        classB: toOperations(classBTenths),
        operations: toOperations(classATenths + classBTenths),
      })),
    },
    200,
  );
});

function toTime(day: string | undefined): number | undefined {
  return day === undefined ? undefined : Date.parse(day);
}
