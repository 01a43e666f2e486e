import { useWebhook } from "../api/queries/webhook.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookState } from "./webhook-state.tsx";

/** Where usage alerts are sent. */
export function WebhookSection() {
  const { data: webhook, error, refetch } = useWebhook();
  return (
    <Section
      title="Webhook"
      description="A POST at 50, 80, 90 and 100 % of the month's operations, signed as Standard Webhooks says."
    >
      {error !== null && webhook === undefined && (
        <Problem error={error} title="The webhook could not be loaded" onRetry={() => void refetch()} />
      )}
      {webhook === undefined && error === null && <Skeleton height={34} />}
      {webhook !== undefined && (
        <>
          <WebhookForm url={webhook.url} />
          {webhook.url !== null && <WebhookState webhook={webhook} />}
        </>
      )}
    </Section>
  );
}
