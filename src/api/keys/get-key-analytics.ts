import { IdParam } from "../../contract/common.ts";
import { KeyAnalyticsQuery, KeyAnalyticsSchema } from "../../contract/key-analytics.ts";
import { toDate } from "../../domain/calendar.ts";
import { readKeyAnalytics } from "../../services/keys/read-key-analytics.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("api", {
  operationId: "getKeyAnalytics",
  method: "get",
  path: "/keys/{id}/analytics",
  tags: ["keys"],
  summary: "What a key asked for, by day and by endpoint (Pro, Business)",
  description:
    "Of the last 90 days, also of a key that was revoked since. Requests show up within half a minute: they are counted in memory and " +
    "written together, so that no request waits for it. What a machine that fails has not written yet, half a minute's at most, is lost.",
  request: { params: IdParam, query: KeyAnalyticsQuery },
  responses: { 200: jsonResponse("The key's requests", KeyAnalyticsSchema), ...errorResponses(404) },
});

export const getKeyAnalytics = createRouter().openapi(route, async (c) => {
  const keyId = c.req.valid("param").id;
  const { from, to } = c.req.valid("query");
  const { total, days, endpoints } = await readKeyAnalytics(accountOf(c), keyId, {
    from: toTime(from),
    to: toTime(to),
  });
  return c.json(
    {
      keyId,
      total,
      days: days.map(({ day, ...counts }) => ({ date: toDate(day), ...counts })),
      endpoints: [...endpoints],
    },
    200,
  );
});

function toTime(day: string | undefined): number | undefined {
  return day === undefined ? undefined : Date.parse(day);
}
