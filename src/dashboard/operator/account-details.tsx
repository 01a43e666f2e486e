import UserRound from "lucide-react/icons/user-round";
import { useState } from "react";
import { useLocation } from "wouter";
import type { AdminAccount, AuditEntry, Tier } from "../../client/types.ts";
import { TIER_NAMES } from "../../domain/tiers.ts";
import { accountPath, useOperatorAccount, useOperatorChange, useOperatorList } from "../api/queries/operator.ts";
import { tierName } from "../api/tier-words.ts";
import { Button } from "../design/button.tsx";
import { Checkbox } from "../design/checkbox.tsx";
import { CopyButton } from "../design/copy-button.tsx";
import { Empty } from "../design/empty.tsx";
import { Field } from "../design/field.tsx";
import { formatBytes, formatCount, formatDate } from "../design/format.ts";
import { Meter } from "../design/meter.tsx";
import { Problem } from "../design/problem.tsx";
import rows from "../design/rows.module.css";
import { Section } from "../design/section.tsx";
import { Select } from "../design/select.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { toast } from "../design/toast.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { AuditTable } from "./audit-table.tsx";
import styles from "./operator.module.css";
import { OperatorListView } from "./operator-list.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";

interface AccountDetailsProps {
  readonly id: string;
}

/** One account: facts, usage, the actions on it, and the actions of the past. */
export default function AccountDetails({ id }: AccountDetailsProps) {
  const { data: account, error, refetch } = useOperatorAccount(id);
  const back = (
    <LinkButton to="/operator/accounts" size="small">
      All accounts
    </LinkButton>
  );
  if (account === undefined || account === null) {
    return (
      <Section title="Account" aside={back}>
        {error !== null && (
          <Problem error={error} title="The account could not be loaded" onRetry={() => void refetch()} />
        )}
        {error === null && account === undefined && <Skeleton height={160} />}
        {account === null && (
          <Empty icon={UserRound} title="No such account">
            It may have been erased. The audit log keeps its id.
          </Empty>
        )}
      </Section>
    );
  }
  return (
    <div className={styles.columns}>
      <Section title={account.email} aside={back}>
        {error !== null && (
          <Problem error={error} title="The account could not be read again" onRetry={() => void refetch()} />
        )}
        {account.suspension !== null && (
          <p className={styles.warning}>
            Suspended on {formatDate(account.suspension.suspendedAt, "time")}: {account.suspension.reason}.{" "}
            {account.suspension.serveFiles ? "Its files are served." : "Its files are not served."}
          </p>
        )}
        <AccountFacts account={account} />
        <AccountActions account={account} />
      </Section>
      <div className={styles.stack}>
        <Usage account={account} />
        <AccountAudit id={id} />
      </div>
    </div>
  );
}

function AccountFacts({ account }: { readonly account: AdminAccount }) {
  const { _id: id, name, tier, createdAt, emailVerified, shard, operator } = account;
  const facts: readonly (readonly [string, string])[] = [
    ["Name", name ?? "–"],
    ["Tier", tierName(tier)],
    ["Since", formatDate(createdAt)],
    ["E-mail", emailVerified ? "Verified" : "Not verified"],
    ["Shard", shard],
    ["Operator's mark", operator ? "Yes" : "No"],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([title, text]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
      <div>
        <dt>Id</dt>
        <dd className={styles.idFact}>
          <code>{id}</code>
          <CopyButton iconOnly text={id} label="Copy the id" />
        </dd>
      </div>
    </dl>
  );
}

function Usage({ account: { storage, operations } }: { readonly account: AdminAccount }) {
  const bytes = `${formatBytes(storage.used)} of ${formatBytes(storage.limit)}`;
  const count = `${formatCount(operations.used)} of ${formatCount(operations.limit)}`;
  return (
    <Section title="Usage">
      <div className={styles.meters}>
        <p>
          Storage <strong>{bytes}</strong>
        </p>
        <Meter
          label="Storage"
          parts={[{ title: "Files", value: storage.used }]}
          max={storage.limit}
          valueText={bytes}
        />
        <p>
          Operations this month <strong>{count}</strong>
        </p>
        <Meter
          label="Operations"
          parts={[{ title: "Operations", value: operations.used }]}
          max={operations.limit}
          valueText={count}
        />
        <p className={rows.facts}>Resets on {formatDate(operations.resetAt)}</p>
      </div>
    </Section>
  );
}

type Shown = "tier" | "suspend" | "unsuspend" | "end-sessions" | "erase";

/** An account with the operator's mark has no actions: only the command line changes it. */
function AccountActions({ account }: { readonly account: AdminAccount }) {
  const { email, suspension, operator, emailVerified, tier } = account;
  const [shown, setShown] = useState<Shown>();
  const [servesFiles, setServesFiles] = useState(true);
  const [newTier, setNewTier] = useState<Tier>(tier);
  const [ownersId, setOwnersId] = useState("");
  const [, navigate] = useLocation();
  const change = useOperatorChange();
  const path = accountPath(email);
  const act = async (action: string, reason: string, done: string, body: object = {}) => {
    const order = { method: "POST", path: `${path}/${action}`, body: { reason, ...body }, reason } as const;
    await change.mutateAsync(action === "erase" ? { ...order, removes: true } : order);
    toast({ title: done, tone: "ok" });
  };
  const showing = (which: Shown) => ({
    open: shown === which,
    onOpenChange: (open: boolean) => setShown(open ? which : undefined),
  });
  if (operator) {
    return (
      <p className={rows.facts}>
        This account has the operator's mark. Only the command line changes it: <code>npm run admin</code>.
      </p>
    );
  }
  const isUpgrade = TIER_NAMES.indexOf(newTier) > TIER_NAMES.indexOf(tier);
  return (
    <>
      <div className={rows.row}>
        <Button onClick={() => setShown("tier")}>Change tier</Button>
        <Button onClick={() => setShown("end-sessions")}>End sessions</Button>
        {suspension === null ? (
          <Button onClick={() => setShown("suspend")}>Suspend</Button>
        ) : (
          <Button onClick={() => setShown("unsuspend")}>Restore</Button>
        )}
        <Button tone="danger" onClick={() => setShown("erase")}>
          Erase
        </Button>
      </div>
      <ReasonDialog
        {...showing("tier")}
        title={`Change the tier of ${email}?`}
        description="Keys of the other kind stop working, and work again if the tier comes back. Nothing is deleted."
        action="Change tier"
        onConfirm={async (reason) => {
          const id = ownersId.trim();
          const body = { tier: newTier, ...(id === "" ? {} : { accountId: id }) };
          await change.mutateAsync({ method: "PUT", path, body, reason });
          toast({ title: `${email} is on ${tierName(newTier)}`, tone: "ok" });
          setOwnersId("");
        }}
      >
        <Select
          label="Tier"
          name="tier"
          options={TIER_NAMES.map((value) => ({ value, title: tierName(value) }))}
          value={newTier}
          onChange={(value) => setNewTier(value as Tier)}
        />
        {isUpgrade && !emailVerified && (
          <Field
            label="Account's id, from its owner"
            name="accountId"
            autoComplete="off"
            required
            maxLength={26}
            hint="The e-mail is not verified, so the owner must name the id. It is on the owner's Account page."
            value={ownersId}
            onChange={(event) => setOwnersId(event.currentTarget.value)}
          />
        )}
      </ReasonDialog>
      <ReasonDialog
        {...showing("suspend")}
        title={`Suspend ${email}?`}
        description="Its sessions and keys stop at once. Nothing is deleted."
        action="Suspend"
        tone="danger"
        reasonHint="The owner reads it at each request."
        onConfirm={(reason) => act("suspend", reason, `${email} is suspended`, { serveFiles: servesFiles })}
      >
        <Checkbox
          name="serveFiles"
          label="Keep serving its files"
          hint="Otherwise they answer 403 within a minute."
          checked={servesFiles}
          onChange={(event) => setServesFiles(event.currentTarget.checked)}
        />
      </ReasonDialog>
      <ReasonDialog
        {...showing("unsuspend")}
        title={`Restore ${email}?`}
        description="Its sessions, keys and files work again."
        action="Restore"
        onConfirm={(reason) => act("unsuspend", reason, `${email} is restored`)}
      />
      <ReasonDialog
        {...showing("end-sessions")}
        title={`End the sessions of ${email}?`}
        description="It is logged out everywhere. Keys stay valid, and it can log in again."
        action="End sessions"
        onConfirm={(reason) => act("end-sessions", reason, "Sessions ended")}
      />
      <ReasonDialog
        {...showing("erase")}
        title={`Erase ${email}?`}
        description={`${formatBytes(account.storage.used)} of files and everything else of this account is deleted permanently.`}
        action="Erase everything"
        tone="danger"
        typed={email}
        onConfirm={async (reason) => {
          await act("erase", reason, `${email} is being erased`);
          navigate("/operator/accounts");
        }}
      />
    </>
  );
}

function AccountAudit({ id }: AccountDetailsProps) {
  const list = useOperatorList<AuditEntry>("/admin/audit", { subject: id });
  return (
    <Section title="Actions on this account">
      <OperatorListView of={list} what="actions" empty={{ icon: UserRound, title: "No actions yet" }}>
        {(entries) => <AuditTable entries={entries} label="Actions on this account" />}
      </OperatorListView>
    </Section>
  );
}
