import type { Alert } from "../../client/index.ts";
import { classNames } from "../design/class-names.ts";
import { formatCount, formatDate } from "../design/format.ts";
import styles from "./alerts-section.module.css";

interface AlertItemProps {
  readonly alert: Alert;
}

type Delivery = Alert["deliveries"]["webhook"];

/** One alert: what was reached, when, and whether anybody was told. */
export function AlertItem({ alert: { threshold, createdAt, used, limit, deliveries } }: AlertItemProps) {
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
      <span className={styles.soft}>{ways.length === 0 ? "Shown here alone" : ways.join(" · ")}</span>
    </li>
  );
}

function toWords(way: string, delivery: Delivery): string | undefined {
  if (delivery === null) return undefined;
  const states = { delivered: "delivered", failed: "given up", pending: "on its way" } as const;
  return `${way} ${states[delivery.state]}`;
}
