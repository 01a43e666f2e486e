import BellRing from "lucide-react/icons/bell-ring";
import { useAlerts } from "../api/queries/alerts.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { AlertItem } from "./alert-item.tsx";
import styles from "./alerts-section.module.css";

/** More are of earlier months, and in the export. */
const SHOWN = 8;

/** The thresholds that were reached, newest first. */
export function AlertsSection() {
  const { data: alerts, error, refetch } = useAlerts();
  return (
    <Section
      title="Alerts"
      description="One at 50, 80, 90 and 100 % of the month's operations, here and to your webhook."
      aside={
        <LinkButton to="/settings" size="small" icon={BellRing}>
          Webhook
        </LinkButton>
      }
    >
      {error !== null && alerts === undefined && (
        <Problem error={error} title="The alerts could not be loaded" onRetry={() => void refetch()} />
      )}
      {alerts === undefined && error === null && <Skeleton width="60%" />}
      {alerts?.length === 0 && <p className={styles.none}>No threshold was reached in the last year.</p>}
      {alerts !== undefined && alerts.length > 0 && (
        <ul className={styles.list}>
          {alerts.slice(0, SHOWN).map((alert) => (
            <AlertItem key={alert._id} alert={alert} />
          ))}
        </ul>
      )}
    </Section>
  );
}
