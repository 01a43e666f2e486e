import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";

/** The figures' places, before they are there. */
export function UsageSkeleton() {
  return (
    <>
      {["Storage", "Operations this month", "By day"].map((title) => (
        <Section key={title} title={title}>
          <Skeleton width="40%" height={26} />
          <Skeleton height={10} />
          <Skeleton width="70%" />
        </Section>
      ))}
    </>
  );
}
