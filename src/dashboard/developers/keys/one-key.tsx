import Ban from "lucide-react/icons/ban";
import ScrollText from "lucide-react/icons/scroll-text";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Key } from "../../../client/index.ts";
import { useKeyAnalytics } from "../../api/queries/keys.ts";
import { Button } from "../../design/button.tsx";
import { Problem } from "../../design/problem.tsx";
import { SkeletonSection } from "../../design/skeleton-section.tsx";
import { LinkButton } from "../../shell/link-button.tsx";
import page from "../../shell/page.module.css";
import { Page } from "../../shell/page.tsx";
import { KeyDays } from "./key-days.tsx";
import { KeyEndpoints } from "./key-endpoints.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";

interface OneKeyProps {
  readonly of: Key;
}

/** A key's details and analytics. An upload key has no analytics. */
export function OneKey({ of: key }: OneKeyProps) {
  const isApi = key.kind === "api";
  const { data, error, refetch } = useKeyAnalytics(key._id, isApi);
  const [revoking, setRevoking] = useState(false);
  const [, navigate] = useLocation();
  const back = <LinkButton to="/developers">All keys</LinkButton>;
  const actions = (
    <>
      <LinkButton to={`/usage/log?key=${key._id}`} icon={ScrollText}>
        Operations
      </LinkButton>
      <Button tone="danger" icon={Ban} onClick={() => setRevoking(true)}>
        Revoke
      </Button>
    </>
  );
  return (
    <Page title={key.name} actions={back} isWide>
      <KeyFacts of={key} total={data?.total} actions={isApi && actions} />
      {error !== null && (
        <Problem error={error} title="The analytics could not be loaded" onRetry={() => void refetch()} />
      )}
      {isApi && data === undefined && error === null && <SkeletonSection />}
      {data !== undefined && (
        <div className={page.columns}>
          <KeyDays days={data.days} />
          <KeyEndpoints endpoints={data.endpoints} />
        </div>
      )}
      <RevokeDialog of={key} open={revoking} onOpenChange={setRevoking} onRevoked={() => navigate("/developers")} />
    </Page>
  );
}
