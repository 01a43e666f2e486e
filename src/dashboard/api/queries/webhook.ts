import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../client.ts";

const KEY = ["webhook"];

/** The address for alerts and the result of the last delivery (Pro and Business). */
export function useWebhook() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => api.webhook.get({ signal }), staleTime: 10_000 });
}

/** Sets the address. Only this response contains the secret. */
export function useSetWebhook() {
  return useWebhookChange((url: string) => api.webhook.set(url));
}

export function useRemoveWebhook() {
  return useWebhookChange(() => api.webhook.delete());
}

/** Sends a test message and waits for the receiver's response. */
export function useTestWebhook() {
  return useMutation({ mutationFn: () => api.webhook.test() });
}

function useWebhookChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey: KEY }) });
}
