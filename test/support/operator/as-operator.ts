import { env } from "cloudflare:workers";
import { bearer, call, newAddress } from "../api/api.ts";

/** A request of the operator below `/admin/`, from an address of its own. */
export function asOperator(method: string, path: string, body?: unknown, headers = {}): Promise<Response> {
  return call(`/admin/${path}`, {
    method,
    headers: {
      ...bearer(env.ADMIN_TOKEN),
      "Content-Type": "application/json",
      "CF-Connecting-IP": newAddress(),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export interface TakedownBody {
  readonly id: string;
  readonly uploadId: string;
  readonly state: string;
  readonly keepUntil: string | null;
}

export async function takeDown(order: object): Promise<TakedownBody> {
  const response = await asOperator("POST", "takedowns", { reason: "Copyright", ...order });
  if (response.status !== 200) throw new Error(`takedown answered ${response.status}: ${await response.text()}`);
  return response.json();
}
