import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  ListedWebhookDelivery,
  NamedWebhook,
  NamedWebhookChange,
  NewNamedWebhook,
  WebhookDelivery,
  WebhookTest,
} from "../../../client/types.ts";
import { connection } from "../client.ts";

const KEY = ["webhooks"];
const PATH = "/settings/webhooks";

const pathOf = (name: string) => `${PATH}/${encodeURIComponent(name)}`;

/** The account's webhooks, by name. */
export function useWebhooks() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await connection.call<{ webhooks: NamedWebhook[] }>("GET", PATH, { signal })).webhooks,
    staleTime: 10_000,
    refetchOnWindowFocus: true,
  });
}

/** Adds or changes a webhook. Only this response contains its secret. */
export function useSetWebhook() {
  return useWebhookChange(({ name, ...body }: NamedWebhookChange & { readonly name: string }) =>
    connection.call<NewNamedWebhook>("PUT", pathOf(name), { body }),
  );
}

export function useRemoveWebhook() {
  return useWebhookChange((name: string) => connection.call<unknown>("DELETE", pathOf(name)));
}

/** The last deliveries of a webhook, newest first. */
export function useDeliveries(name: string, enabled: boolean) {
  return useQuery({
    queryKey: [...KEY, name],
    queryFn: async ({ signal }) => {
      const path = `${pathOf(name)}/deliveries`;
      return (await connection.call<{ deliveries: ListedWebhookDelivery[] }>("GET", path, { signal })).deliveries;
    },
    staleTime: 0,
    enabled,
  });
}

/** Sends a test message and waits for the receiver's response. */
export function useTestWebhook(name: string) {
  return useMutation({ mutationFn: () => connection.call<WebhookTest>("POST", `${pathOf(name)}/test`) });
}

/** Sends a delivery's message again. */
export function useRedeliver(name: string) {
  return useWebhookChange((id: string) =>
    connection.call<WebhookDelivery>("POST", `${pathOf(name)}/deliveries/${encodeURIComponent(id)}/redeliver`),
  );
}

/** Afterwards the webhooks and the deliveries that are shown are read again. */
function useWebhookChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey: KEY }) });
}
