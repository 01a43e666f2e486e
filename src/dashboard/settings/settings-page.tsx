import { useAccount } from "../api/queries/account.ts";
import { useSettings } from "../api/queries/settings.ts";
import { hasApiKeys } from "../api/tier-words.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { Page } from "../shell/page.tsx";
import { CompressionSection } from "./compression-section.tsx";
import { ExportSection } from "./export-section.tsx";
import { NoWebhookSection } from "./no-webhook-section.tsx";
import { SettingsNav } from "./settings-nav.tsx";
import { ToolsSection } from "./tools-section.tsx";
import { WebhookSection } from "./webhook-section.tsx";

export default function SettingsPage() {
  const tier = useAccount().data?.tier;
  const { data: settings, error, refetch } = useSettings();
  return (
    <Page title="Settings">
      <SettingsNav />
      {error !== null && settings === undefined && (
        <Problem error={error} title="The settings could not be loaded" onRetry={() => void refetch()} />
      )}
      {settings === undefined && error === null && (
        <Section title="Compression">
          <Skeleton height={30} />
          <Skeleton height={60} />
        </Section>
      )}
      {settings !== undefined && <CompressionSection settings={settings} />}
      {tier !== undefined && (hasApiKeys(tier) ? <WebhookSection /> : <NoWebhookSection tier={tier} />)}
      {tier !== undefined && <ToolsSection tier={tier} />}
      <ExportSection />
    </Page>
  );
}
