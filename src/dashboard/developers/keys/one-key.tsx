import Ban from "lucide-react/icons/ban";
import ScrollText from "lucide-react/icons/scroll-text";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Key, KeyAnalytics } from "../../../client/index.ts";
import { useKeyAnalytics } from "../../api/queries/keys.ts";
import { Button } from "../../design/button.tsx";
import type { ChartSeries } from "../../design/day-bars.ts";
import { DayChart } from "../../design/day-chart.tsx";
import { formatCount, formatPlural } from "../../design/format.ts";
import { Problem } from "../../design/problem.tsx";
import { Section } from "../../design/section.tsx";
import { SkeletonSection } from "../../design/skeleton-section.tsx";
import { LinkButton } from "../../shell/link-button.tsx";
import page from "../../shell/page.module.css";
import { Page } from "../../shell/page.tsx";
import { toChartDays } from "./analytics.ts";
import { KeyEndpoints } from "./key-endpoints.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";

const SERIES: readonly ChartSeries[] = [
  { title: "Successful", tone: "accent", toWords: (value) => `${formatCount(value)} successful` },
  { title: "Errors", tone: "danger", toWords: (value) => formatPlural(value, "error") },
];

interface OneKeyProps {
  readonly of: Key;
}

/** A key's details and analytics. An upload key has no analytics. */
export function OneKey({ of: key }: OneKeyProps) {
  const isApi = key.kind === "api";
  const { data, error, refetch } = useKeyAnalytics(key._id, isApi);
  const [revoking, setRevoking] = useState(false);
  const [, navigate] = useLocation();
  const back = <LinkButton to="/developers">All keys</LinkButton>;
  const actions = (
    <>
      <LinkButton to={`/usage/log?key=${key._id}`} icon={ScrollText}>
        Operations
      </LinkButton>
      <Button tone="danger" icon={Ban} onClick={() => setRevoking(true)}>
        Revoke
      </Button>
    </>
  );
  return (
    <Page title={key.name} actions={back} isWide>
      <KeyFacts of={key} total={data?.total} actions={isApi && actions} />
      {error !== null && (
        <Problem error={error} title="The analytics could not be loaded" onRetry={() => void refetch()} />
      )}
      {isApi && data === undefined && error === null && <SkeletonSection />}
      {data !== undefined && (
        <div className={page.columns}>
          <KeyDays days={data.days} />
          <KeyEndpoints endpoints={data.endpoints} />
        </div>
      )}
      <RevokeDialog of={key} open={revoking} onOpenChange={setRevoking} onRevoked={() => navigate("/developers")} />
    </Page>
  );
}

interface KeyDaysProps {
  readonly days: KeyAnalytics["days"];
}

function KeyDays({ days }: KeyDaysProps) {
  return (
    <Section title="Requests by day" description="The last 30 days, in UTC. Requests appear after about half a minute.">
      <DayChart label="Requests" days={toChartDays(days)} series={SERIES} formatValue={formatCount} />
    </Section>
  );
}
