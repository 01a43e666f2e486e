import { expect } from "vitest";
import { bearer, call } from "../api/api.ts";

export interface LogEntry {
  readonly _id: string;
  readonly type: string;
  readonly class: string;
  readonly weight: number;
  readonly timestamp: string;
  readonly resourceId: string;
  readonly originalFilename: string | null;
  readonly keyId: string | null;
}

export interface ShownLog {
  readonly logs: LogEntry[];
  readonly pagination: {
    readonly page: number;
    readonly limit: number;
    readonly total: number;
    readonly totalPages: number;
    readonly nextCursor: string | null;
  };
}

export type LogParameters = Readonly<Record<string, string | number>>;

export function requestLogs(token: string, query: LogParameters = {}): Promise<Response> {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return call(`/logs?${parameters}`, { headers: bearer(token) });
}

export async function readLogs(token: string, query: LogParameters = {}): Promise<ShownLog> {
  const response = await requestLogs(token, query);
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json<ShownLog>();
}
