import BellRing from "lucide-react/icons/bell-ring";
import type { Alert } from "../../client/index.ts";
import { useAlerts } from "../api/queries/operations.ts";
import { classNames } from "../design/class-names.ts";
import { formatCount, formatDate } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import styles from "./alerts-section.module.css";

/** Older alerts are only in the export. */
const SHOWN = 8;

/** The latest alerts, newest first. */
export function AlertsSection() {
  const { data: alerts, error, refetch } = useAlerts();
  return (
    <Section
      title="Alerts"
      description="Alerts appear here and at your webhook at 50, 80, 90 and 100 % of the month's operations."
      aside={
        <LinkButton to="/developers/webhooks" size="small" icon={BellRing}>
          Webhooks
        </LinkButton>
      }
    >
      {error !== null && alerts === undefined && (
        <Problem error={error} title="The alerts could not be loaded" onRetry={() => void refetch()} />
      )}
      {alerts === undefined && error === null && <Skeleton width="60%" />}
      {alerts?.length === 0 && <p className={styles.none}>No alerts in the last year.</p>}
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

interface AlertItemProps {
  readonly alert: Alert;
}

type Delivery = Alert["deliveries"]["webhook"];

/** An alert: threshold, time, usage and deliveries. */
function AlertItem({ alert: { threshold, createdAt, used, limit, deliveries } }: AlertItemProps) {
  const ways = [toWords("Webhook", deliveries.webhook), toWords("E-mail", deliveries.email)].filter(Boolean);
  const tone = threshold === 100 ? styles.all : threshold >= 80 && styles.high;
  return (
    <li className={styles.item}>
      <span className={classNames(styles.threshold, tone)}>{threshold} %</span>
      <span>
        <time dateTime={createdAt}>{formatDate(createdAt, "time")}</time>
        <span className={styles.soft}>
          {" "}
          · {formatCount(used)} of {formatCount(limit)} operations
        </span>
      </span>
      <span className={styles.soft}>{ways.length === 0 ? "Shown only here" : ways.join(" · ")}</span>
    </li>
  );
}

function toWords(way: string, delivery: Delivery): string | undefined {
  if (delivery === null) return undefined;
  const states = { delivered: "delivered", failed: "failed", pending: "pending" } as const;
  return `${way} ${states[delivery.state]}`;
}
