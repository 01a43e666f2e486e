import { QueryClient } from "@tanstack/react-query";

/** The client retries by itself (src/client/connection.ts), so that a query fails once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 60_000, gcTime: 120_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
