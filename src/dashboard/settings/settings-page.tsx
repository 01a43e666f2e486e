import { Suspense } from "react";
import { useAccount } from "../api/queries/account.ts";
import { useSettings } from "../api/queries/settings.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import page from "../shell/page.module.css";
import { Page } from "../shell/page.tsx";
import { CompressionSection } from "./compression-section.tsx";
import { ExportSection } from "./export-section.tsx";
import { SettingsNav } from "./settings-nav.tsx";

const ToolsSection = lazyPart(() => import("./tools-section.tsx"));
const WebhooksSection = lazyPart(() => import("./webhooks/webhooks-section.tsx"));

/** Loads the lazy sections before the page is shown. @throws the import's error */
export const loadParts = async () => void (await Promise.all([ToolsSection.load(), WebhooksSection.load()]));

export default function SettingsPage() {
  const tier = useAccount().data?.tier;
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
        <div className={page.stack}>
          <Suspense fallback={null}>
            {tier !== undefined && (
              <>
                <WebhooksSection tier={tier} />
                <ToolsSection tier={tier} />
              </>
            )}
          </Suspense>
          <ExportSection />
        </div>
      </div>
    </Page>
  );
}
