import { useQuery } from "@tanstack/react-query";
import { api } from "../client.ts";

/** Usage alerts of the last year, newest first: Pro and Business. */
export function useAlerts() {
  return useQuery({ queryKey: ["alerts"], queryFn: ({ signal }) => api.alerts({ signal }) });
}
