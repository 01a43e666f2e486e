import { QueryClient } from "@tanstack/react-query";

/** No retries here: the client already retries (src/client/connection.ts). */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 60_000, gcTime: 120_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
