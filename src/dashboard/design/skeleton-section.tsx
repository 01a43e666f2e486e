import section from "./section.module.css";
import { Skeleton } from "./skeleton.tsx";

interface SkeletonSectionProps {
  /** The number of grey lines under the title. */
  readonly rows?: number;
}

/** A card in place of a section that is loading. */
export function SkeletonSection({ rows = 3 }: SkeletonSectionProps) {
  return (
    <div className={section.section} data-loading>
      <Skeleton width={140} height={20} />
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={36} />
      ))}
    </div>
  );
}
