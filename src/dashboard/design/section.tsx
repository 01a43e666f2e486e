import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import styles from "./section.module.css";

interface SectionProps {
  readonly title: string;
  /** A sentence under the title. */
  readonly description?: ReactNode;
  /** A figure, a choice or a button next to the title. */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** A card with a heading, which is its accessible name. */
export function Section({ title, description, aside, className, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames(styles.section, className)}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
        {description !== undefined && <p className={styles.description}>{description}</p>}
      </header>
      {children}
    </section>
  );
}
