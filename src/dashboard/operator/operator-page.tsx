import { Suspense, useEffect } from "react";
import { useLocation } from "wouter";
import { useAccount } from "../api/queries/account.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { whenIdle } from "../design/when-idle.ts";
import NotFoundPage from "../shell/not-found-page.tsx";
import { Page } from "../shell/page.tsx";
import { PageNav } from "../shell/page-nav.tsx";

const SECTIONS = [
  { path: "/operator", title: "Health", Part: lazyPart(() => import("./health-sections.tsx")) },
  { path: "/operator/accounts", title: "Accounts", Part: lazyPart(() => import("./accounts-section.tsx")) },
  { path: "/operator/reports", title: "Reports", Part: lazyPart(() => import("./reports-section.tsx")) },
  { path: "/operator/takedowns", title: "Takedowns", Part: lazyPart(() => import("./takedowns-section.tsx")) },
  { path: "/operator/queues", title: "Queues", Part: lazyPart(() => import("./queues-sections.tsx")) },
  { path: "/operator/shards", title: "Shards", Part: lazyPart(() => import("./shards-section.tsx")) },
  { path: "/operator/audit", title: "Audit log", Part: lazyPart(() => import("./audit-section.tsx")) },
] as const;
const OneAccount = lazyPart(() => import("./account-details.tsx"));
const ONE_ACCOUNT = /^\/operator\/accounts\/([0-9a-z]{26})$/;

/** The operator's room: for accounts with the operator's mark. Other accounts see that there is no such page. */
export default function OperatorPage() {
  const [path] = useLocation();
  const { data: account, error, refetch } = useAccount();
  // The other sections are one click away. A section that fails to load is loaded again when it is opened.
  useEffect(() => {
    for (const Part of [OneAccount, ...SECTIONS.map((each) => each.Part)])
      whenIdle(() => void Part.load().catch(() => undefined));
  }, []);
  // The account may have got the mark since it was read.
  useEffect(() => void refetch(), [refetch]);
  if (account === undefined) {
    return (
      <Page title="Operator" isWide>
        {error === null ? (
          <Skeleton height={240} />
        ) : (
          <Problem error={error} title="The account could not be loaded" onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }
  const section = SECTIONS.find((each) => each.path === path);
  const [, accountId] = ONE_ACCOUNT.exec(path) ?? [];
  if (!account.operator || (section === undefined && accountId === undefined)) return <NotFoundPage />;
  return (
    <Page title="Operator" documentTitle={section?.title ?? "Account"} isWide>
      <PageNav label="Operator" links={SECTIONS} />
      <Suspense key={path} fallback={null}>
        {accountId === undefined ? section && <section.Part /> : <OneAccount id={accountId} />}
      </Suspense>
    </Page>
  );
}
