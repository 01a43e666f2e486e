import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./empty.module.css";

interface EmptyProps {
  readonly icon?: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** The empty state of a list or page: a title, the reason and an action. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      {Icon && (
        <span className={styles.icon}>
          <Icon size={22} aria-hidden />
        </span>
      )}
      <h2>{title}</h2>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
