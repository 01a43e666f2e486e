import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { renderHook } from "vitest-browser-react";
import { accountQuery } from "../../src/dashboard/api/queries/account.ts";
import { useUpdateAccount } from "../../src/dashboard/api/queries/account-changes.ts";
import { useSettings, useUpdateSettings } from "../../src/dashboard/api/queries/settings.ts";

// A read that was sent before a change, and is answered after it with the old values.

afterEach(() => vi.restoreAllMocks());

/** Each GET is answered with the old values once `answerReads` is called; each change is answered at once with the new ones. */
function serve<Values extends object>(before: Values, after: Values) {
  let answerReads: () => void = () => undefined;
  const read = new Promise<void>((resolve) => {
    answerReads = resolve;
  });
  let reads = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
    if ((init?.method ?? "GET") !== "GET") return Response.json(after);
    reads += 1;
    await read;
    return Response.json(before);
  });
  return { answerReads: () => answerReads(), reads: () => reads };
}

function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return { client, wrapper };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

it("A name that was changed stays, although a read from before the change is answered later", async () => {
  const account = { _id: "a1", email: "ines@example.com", name: "Ines" };
  const service = serve(account, { ...account, name: "Ines Kallevik" });
  const { client, wrapper } = open();
  void client.prefetchQuery(accountQuery);
  await expect.poll(service.reads).toBe(1);
  const { result } = await renderHook(useUpdateAccount, { wrapper });
  await result.current.mutateAsync({ name: "Ines Kallevik" });
  service.answerReads();
  await settle();
  expect(client.getQueryData(["account"])).toMatchObject({ name: "Ines Kallevik" });
});

it("A setting that was changed stays, although a read from before the change is answered later", async () => {
  const service = serve({ compression: { enabled: true } }, { compression: { enabled: false } });
  const { client, wrapper } = open();
  const { result } = await renderHook(() => ({ read: useSettings(), change: useUpdateSettings() }), { wrapper });
  await expect.poll(service.reads).toBe(1);
  await result.current.change.mutateAsync({} as never);
  service.answerReads();
  await settle();
  expect(client.getQueryData(["settings"])).toEqual({ compression: { enabled: false } });
});
