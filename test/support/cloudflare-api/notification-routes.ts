import { randomUUID } from "node:crypto";
import type { CloudflareAccount, NotificationPolicy } from "./account-state.ts";
import { ok, REFUSALS, Refusal } from "./answer.ts";
import { type Call, json, type Routes } from "./router.ts";

/**
 * Notifications (`/alerting/v3`). The body of a policy is the one of cloudflare/terraform-provider-cloudflare,
 * `checkcloudflarenotificationpolicywithfiltersattribute.tf`. Policies are not paged.
 */
export const NOTIFICATION_ROUTES: Routes = {
  "GET /alerting/v3/available_alerts": (_, __, { notifiedProducts }) => {
    const pages = [{ type: "pages_event_alert", display_name: "Project updates", filter_options: null }];
    if (notifiedProducts === undefined) return ok({ Pages: pages });
    const products = notifiedProducts.map((id) => ({ ID: id, Description: id }));
    const filters = [
      { Key: "product", Optional: false, AvailableValues: products },
      { Key: "limit", Optional: false, AvailableValues: null },
    ];
    return ok({ Pages: pages, Billing: [{ type: "billing_usage_alert", filter_options: filters }] });
  },
  "GET /alerting/v3/policies": (_, __, { policies }) => ok(policies),
  "POST /alerting/v3/policies": (call, _, { policies }) => {
    const policy = readPolicy(randomUUID().replaceAll("-", ""), call);
    policies.push(policy);
    return ok({ id: policy.id });
  },
  "PUT /alerting/v3/policies/:id": (call, { id = "" }, account) => {
    account.policies[indexOf(account, id, call)] = readPolicy(id, call);
    return ok({ id });
  },
  "DELETE /alerting/v3/policies/:id": (call, { id = "" }, account) => {
    account.policies.splice(indexOf(account, id, call), 1);
    return ok(null);
  },
};

/** A policy with its required fields. @throws Refusal 400 */
function readPolicy(id: string, call: Call): NotificationPolicy {
  const { id: given, ...body } = json<NotificationPolicy>(call);
  const { product, limit } = body.filters ?? {};
  const isWhole = body.name && body.alert_type && typeof body.enabled === "boolean" && body.mechanisms;
  if (given !== undefined || !isWhole || product?.length !== 1 || limit?.length !== 1) {
    throw new Refusal(400, 17003, "invalid policy");
  }
  return { ...body, id };
}

function indexOf({ policies }: CloudflareAccount, id: string, call: Call): number {
  const index = policies.findIndex((policy) => policy.id === id);
  if (index < 0) throw REFUSALS.noRoute(call.path);
  return index;
}
