import Ban from "lucide-react/icons/ban";
import KeyRound from "lucide-react/icons/key-round";
import ScrollText from "lucide-react/icons/scroll-text";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Key, KeyAnalytics } from "../../../client/index.ts";
import { useKeyAnalytics, useKeys } from "../../api/queries/keys.ts";
import { Button } from "../../design/button.tsx";
import { classNames } from "../../design/class-names.ts";
import type { ChartSeries } from "../../design/day-bars.ts";
import { DayChart } from "../../design/day-chart.tsx";
import { Empty } from "../../design/empty.tsx";
import { formatCount, formatPlural } from "../../design/format.ts";
import { Problem } from "../../design/problem.tsx";
import { Section } from "../../design/section.tsx";
import { SkeletonSection } from "../../design/skeleton-section.tsx";
import table from "../../design/table.module.css";
import { TableScroll } from "../../design/table-scroll.tsx";
import { LinkButton } from "../../shell/link-button.tsx";
import page from "../../shell/page.module.css";
import { Page } from "../../shell/page.tsx";
import { toChartDays } from "./analytics.ts";
import { KeyFacts } from "./key-facts.tsx";
import styles from "./one-key-page.module.css";
import { RevokeDialog } from "./revoke-dialog.tsx";

interface KeyEndpointsProps {
  readonly endpoints: KeyAnalytics["endpoints"];
}

const SERIES: readonly ChartSeries[] = [
  { title: "Successful", tone: "accent", toWords: (value) => `${formatCount(value)} successful` },
  { title: "Errors", tone: "danger", toWords: (value) => formatPlural(value, "error") },
];

interface OneKeyProps {
  readonly of: Key;
}

interface KeyDaysProps {
  readonly days: KeyAnalytics["days"];
}

interface OneKeyPageProps {
  readonly id: string;
}

/** The page of one key, or the fact that there is no such key. */
export default function OneKeyPage({ id }: OneKeyPageProps) {
  const { data: keys, error, refetch } = useKeys();
  const key = keys?.find(({ _id }) => _id === id);
  const back = <LinkButton to="/developers">All keys</LinkButton>;
  if (key !== undefined) return <OneKey key={id} of={key} />;
  return (
    <Page title="Key" actions={back} isWide>
      {error !== null && <Problem error={error} title="The key could not be loaded" onRetry={() => void refetch()} />}
      {keys === undefined && error === null && <SkeletonSection />}
      {keys !== undefined && (
        <Empty icon={KeyRound} title="Key not found" action={back}>
          It may have been revoked. Its operations stay in the log for 90 days.
        </Empty>
      )}
    </Page>
  );
}

/** A key's details and analytics. An upload key has no analytics. */
function OneKey({ of: key }: OneKeyProps) {
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

function KeyDays({ days }: KeyDaysProps) {
  return (
    <Section title="Requests by day" description="The last 30 days, in UTC. Requests appear after about half a minute.">
      <DayChart label="Requests" days={toChartDays(days)} series={SERIES} formatValue={formatCount} />
    </Section>
  );
}

/** A key's requests by endpoint, most frequent first. */
function KeyEndpoints({ endpoints }: KeyEndpointsProps) {
  return (
    <Section title="By endpoint" description={endpoints.length === 0 ? "No requests in this period." : undefined}>
      {endpoints.length > 0 && (
        <TableScroll label="Requests by endpoint">
          <table className={classNames(table.table, styles.table)}>
            <thead>
              <tr>
                <th scope="col">Endpoint</th>
                <th scope="col" className={table.number}>
                  Requests
                </th>
                <th scope="col" className={table.number}>
                  Operations
                </th>
                <th scope="col" className={table.number}>
                  Errors
                </th>
              </tr>
            </thead>
            <tbody>
              {endpoints.map(({ endpoint, requests, operations, errors }) => (
                <tr key={endpoint}>
                  <td>{endpoint === "none" ? "Unknown path" : <code>{endpoint}</code>}</td>
                  <td className={table.number}>{formatCount(requests)}</td>
                  <td className={table.number}>{formatCount(operations)}</td>
                  <td className={classNames(table.number, errors > 0 && styles.errors)}>{formatCount(errors)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </Section>
  );
}
