import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import styles from "./section.module.css";

interface SectionProps {
  readonly title: string;
  /** Under the title, one sentence. */
  readonly description?: ReactNode;
  /** Beside the title: a figure, a choice, a button. */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** A part of a plain page: a card with a heading, which names it. */
export function Section({ title, description, aside, className, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames(styles.section, className)}>
      <header className={styles.head}>
        <div className={styles.words}>
          <h2 id={id}>{title}</h2>
          {description !== undefined && <p className={styles.description}>{description}</p>}
        </div>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
      </header>
      {children}
    </section>
  );
}
