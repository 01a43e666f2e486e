import BookOpen from "lucide-react/icons/book-open";
import { type ComponentType, Suspense } from "react";
import { Redirect, useLocation } from "wouter";
import type { TierName } from "../../domain/tiers.ts";
import { useAccount } from "../api/queries/account.ts";
import button from "../design/button.module.css";
import { classNames } from "../design/class-names.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import { SkeletonSection } from "../design/skeleton-section.tsx";
import { Page } from "../shell/page.tsx";
import { PageNav } from "../shell/page-nav.tsx";
import styles from "./developers-page.module.css";

/** The sections and their addresses, so that links and the browser's history lead to each. */
const SECTIONS = [
  { path: "/developers", title: "Keys", Part: lazyPart(() => import("./keys/keys-section.tsx")) },
  {
    path: "/developers/upload-tokens",
    title: "Upload tokens",
    Part: lazyPart(() => import("./upload-tokens/upload-tokens-section.tsx")),
  },
  { path: "/developers/webhooks", title: "Webhooks", Part: lazyPart(() => import("./webhooks/webhooks-section.tsx")) },
  { path: "/developers/events", title: "Events", Part: lazyPart(() => import("./events/events-section.tsx")) },
  { path: "/developers/snippets", title: "Snippets", Part: lazyPart(() => import("./snippets/snippets-section.tsx")) },
] as const;
const OneKey = lazyPart(() => import("./keys/one-key-page.tsx"));

/** Loads every section before the page is shown, because users go from one to another. @throws the import's error */
export const loadParts = async () =>
  void (await Promise.all([OneKey, ...SECTIONS.map(({ Part }) => Part)].map((part) => part.load())));

/** Everything for programs that use the service. The address chooses the section, or one key. */
export default function DevelopersPage() {
  const [path] = useLocation();
  // Addresses of earlier versions.
  if (path.startsWith("/keys"))
    return (
      <Redirect to={path.replace(/^\/keys(\/?)/, (_, rest) => (rest ? "/developers/keys/" : "/developers"))} replace />
    );
  const section = SECTIONS.find((each) => each.path === path);
  if (section === undefined) {
    return (
      <Suspense fallback={null}>
        <OneKey id={path.slice(path.lastIndexOf("/") + 1)} />
      </Suspense>
    );
  }
  return (
    <Page title="Developers" documentTitle={section.title} isWide actions={<ReferenceLink />}>
      <PageNav label="Developers" links={SECTIONS} />
      <Suspense fallback={null}>
        <WithTier key={section.path} Part={section.Part} />
      </Suspense>
    </Page>
  );
}

/** The page of the API sends its requests with the session of this page. */
function ReferenceLink() {
  return (
    <a
      href="/docs/"
      target="_blank"
      rel="noreferrer"
      aria-label="API reference"
      className={classNames(button.button, button.plain)}
    >
      <BookOpen size={16} aria-hidden />
      <span>
        API<span className={styles.more}> reference</span>
      </span>
    </a>
  );
}

function WithTier({ Part }: { readonly Part: ComponentType<{ readonly tier: TierName }> }) {
  const { data: account, error, refetch } = useAccount();
  if (account !== undefined) return <Part tier={account.tier} />;
  if (error === null) return <SkeletonSection />;
  return <Problem error={error} title="The account could not be loaded" onRetry={() => void refetch()} />;
}
