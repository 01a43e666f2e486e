import type { CSSProperties } from "react";
import { classNames } from "./class-names.ts";
import styles from "./skeleton.module.css";

interface SkeletonProps {
  readonly width?: CSSProperties["inlineSize"];
  readonly height?: CSSProperties["blockSize"];
  readonly className?: string;
}

/** A grey placeholder for content that is loading. It appears after 150 ms, so that it does not flash. */
export function Skeleton({ width = "100%", height = "1em", className }: SkeletonProps) {
  return (
    <span
      aria-hidden
      className={classNames(styles.shape, className)}
      style={{ inlineSize: width, blockSize: height }}
    />
  );
}
