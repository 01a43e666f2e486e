import { Suspense } from "react";
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

const SizesSection = lazyPart(() => import("./sizes/sizes-section.tsx"));

/** Loads the lazy section before the page is shown. @throws the import's error */
export const loadParts = () => SizesSection.load();

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
        <div className={page.stack}>
          {settings !== undefined && (
            <Suspense fallback={null}>
              <SizesSection settings={settings} />
            </Suspense>
          )}
          <ExportSection />
        </div>
      </div>
    </Page>
  );
}
