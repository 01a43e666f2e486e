import { useSettings } from "../api/queries/settings.ts";
import { sparePart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import { SkeletonSection } from "../design/skeleton-section.tsx";
import page from "../shell/page.module.css";
import { Page } from "../shell/page.tsx";
import { CompressionSection } from "./compression-section.tsx";
import { ExportSection } from "./export-section.tsx";
import { SettingsNav } from "./settings-nav.tsx";

const LateSections = sparePart(() => import("./late-sections.tsx"));

/** Loads the lazy sections before the page is shown. @throws the import's error */
export const loadParts = () => LateSections.load();

export default function SettingsPage() {
  const { data: settings, error, refetch } = useSettings();
  return (
    <Page title="Settings" isWide>
      <SettingsNav />
      <div className={page.columns}>
        {error !== null && settings === undefined && (
          <Problem error={error} title="The settings could not be loaded" onRetry={() => void refetch()} />
        )}
        {settings === undefined && error === null && <SkeletonSection />}
        {settings !== undefined && <CompressionSection settings={settings} />}
        <div className={page.stack}>
          {settings !== undefined && <LateSections settings={settings} />}
          <ExportSection />
        </div>
      </div>
    </Page>
  );
}
