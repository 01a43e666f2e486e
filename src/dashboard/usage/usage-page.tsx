import { useQueryClient } from "@tanstack/react-query";
import ScrollText from "lucide-react/icons/scroll-text";
import { useEffect } from "react";
import { useOverview } from "../api/queries/overview.ts";
import { hasApiKeys } from "../api/tier-words.ts";
import { Problem } from "../design/problem.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { Page } from "../shell/page.tsx";
import { AlertsSection } from "./alerts-section.tsx";
import { DaysSection } from "./days-section.tsx";
import { FreeSpaceSection } from "./free-space-section.tsx";
import { OperationsSection } from "./operations-section.tsx";
import { RateSection } from "./rate-section.tsx";
import { StorageSection } from "./storage-section.tsx";
import { TierSection } from "./tier-section.tsx";
import styles from "./usage-page.module.css";
import { UsageSkeleton } from "./usage-skeleton.tsx";

/** Figures that are older than this are asked for again when the page is opened. */
const FRESH_MS = 5000;

export default function UsagePage() {
  const { data: overview, error, refetch } = useOverview();
  const queries = useQueryClient();
  useEffect(() => {
    const predicate = ({ state }: { state: { dataUpdatedAt: number } }) =>
      state.dataUpdatedAt > 0 && Date.now() - state.dataUpdatedAt > FRESH_MS;
    void queries.refetchQueries({ queryKey: ["overview"], predicate });
  }, [queries]);
  const log = overview !== undefined && hasApiKeys(overview.tier) && (
    <LinkButton to="/usage/log" icon={ScrollText}>
      Operation log
    </LinkButton>
  );
  return (
    <Page title="Usage" actions={log}>
      {error !== null && <Problem error={error} title="The usage could not be loaded" onRetry={() => void refetch()} />}
      {overview === undefined && error === null && <UsageSkeleton />}
      {overview !== undefined && (
        <>
          <StorageSection overview={overview} />
          <div className={styles.pair}>
            <OperationsSection overview={overview} />
            <RateSection perMinute={overview.rateLimit.perMinute} tier={overview.tier} />
          </div>
          <DaysSection resetAt={overview.operations.resetAt} />
          {hasApiKeys(overview.tier) && <AlertsSection />}
          <FreeSpaceSection files={overview.files} />
          <TierSection tier={overview.tier} />
        </>
      )}
    </Page>
  );
}
