import { expect } from "vitest";
import { bearer, call } from "../api/api.ts";

export interface Stats {
  readonly tier: string;
  readonly storage: {
    readonly used: number;
    readonly limit: number;
    readonly percent: number;
    readonly images: number;
    readonly videos: number;
    readonly trash: number;
  };
  readonly operations: {
    readonly used: number;
    readonly limit: number;
    readonly percent: number;
    readonly classA: number;
    readonly classB: number;
    readonly resetAt: string;
  };
  readonly rateLimit: { readonly perMinute: number };
  readonly files: {
    readonly total: number;
    readonly images: number;
    readonly videos: number;
    readonly trashed: number;
    readonly trashedBytes: number;
  };
  readonly folders: number;
}

export async function readStats(token: string): Promise<Stats> {
  const response = await call("/stats/overview", { headers: bearer(token) });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json<Stats>();
}
