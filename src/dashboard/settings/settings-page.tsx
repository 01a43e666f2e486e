import { useSettings } from "../api/queries/settings.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import page from "../shell/page.module.css";
import { Page } from "../shell/page.tsx";
import { CompressionSection } from "./compression-section.tsx";
import { ExportSection } from "./export-section.tsx";
import { SettingsNav } from "./settings-nav.tsx";

export default function SettingsPage() {
  const { data: settings, error, refetch } = useSettings();
  return (
    <Page title="Settings" isWide>
      <SettingsNav />
      {error !== null && settings === undefined && (
        <Problem error={error} title="The settings could not be loaded" onRetry={() => void refetch()} />
      )}
      <div className={page.columns}>
        {settings === undefined && error === null && (
          <Section title="Compression">
            <Skeleton height={30} />
            <Skeleton height={60} />
          </Section>
        )}
        {settings !== undefined && <CompressionSection settings={settings} />}
        <ExportSection />
      </div>
    </Page>
  );
}
