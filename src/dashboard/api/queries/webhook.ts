import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../client.ts";

const KEY = ["webhook"];

/** Where alerts are sent, and what became of the last one: Pro and Business. */
export function useWebhook() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => api.webhook.get({ signal }), staleTime: 10_000 });
}

/** Sets the address; the secret is in the answer, this once. */
export function useSetWebhook() {
  return useWebhookChange((url: string) => api.webhook.set(url));
}

export function useRemoveWebhook() {
  return useWebhookChange(() => api.webhook.delete());
}

/** Sends a message to it now, and waits for what it answers. */
export function useTestWebhook() {
  return useMutation({ mutationFn: () => api.webhook.test() });
}

function useWebhookChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey: KEY }) });
}
