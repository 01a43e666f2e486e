import { env } from "cloudflare:workers";
import { BASE_URL, call, newAddress, openAccount, type TestAccount } from "../api/api.ts";
import { asOperator } from "./as-operator.ts";

/** A new account with the operator's mark. */
export async function openOperator(): Promise<TestAccount> {
  const account = await openAccount();
  const marked = await asOperator("POST", `accounts/${account.email}/mark-operator`, {
    reason: "Works the reports",
    accountId: account.id,
  });
  if (marked.status !== 200) throw new Error(`mark-operator answered ${marked.status}: ${await marked.text()}`);
  return account;
}

/** A request of the dashboard's operator's room below `/admin/`, as a browser sends it: with the session's cookie. */
export function asMarked(
  { token }: Pick<TestAccount, "token">,
  method: string,
  path: string,
  { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  return call(`/admin/${path}`, {
    method,
    headers: {
      Cookie: `__Host-session=${token}`,
      "Sec-Fetch-Site": "same-origin",
      Origin: BASE_URL,
      "CF-Connecting-IP": newAddress(),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The newest entry of the audit log about an account. */
export async function newestEntry(accountId: string): Promise<object | undefined> {
  return (
    (await env.DB.prepare(
      "SELECT actor, action, reason, status FROM audit_log WHERE subject = ? ORDER BY id DESC LIMIT 1",
    )
      .bind(accountId)
      .first()) ?? undefined
  );
}
