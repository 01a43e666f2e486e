import { type CSSProperties, useState } from "react";
import { classNames } from "./class-names.ts";
import styles from "./compare.module.css";
import { Slider } from "./slider.tsx";

interface CompareProps {
  /** The URLs of the two pictures, which have the same size. */
  readonly before: string;
  readonly after: string | undefined;
  readonly className?: string | undefined;
}

/** Two pictures in full size, one over the other, with a movable line between them. */
export default function Compare({ before, after, className }: CompareProps) {
  const [percent, setPercent] = useState(50);
  return (
    <div className={classNames(styles.compare, className)} style={{ "--at": `${percent}%` } as CSSProperties}>
      <img src={before} alt="Before" className={styles.picture} />
      {after !== undefined && <img src={after} alt="After" className={`${styles.picture} ${styles.after}`} />}
      {after !== undefined && (
        <>
          <span className={styles.left}>Before</span>
          <span className={styles.right}>After</span>
          <span className={styles.line} />
          <Slider
            className={styles.slider}
            label="Divider between before and after"
            min={0}
            max={100}
            value={percent}
            valueText={`${percent} % before`}
            onChange={setPercent}
          />
        </>
      )}
    </div>
  );
}
