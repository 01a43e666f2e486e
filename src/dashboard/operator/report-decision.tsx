import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import type { ReportDecision as Decision, Report, ReportedFile } from "../../client/types.ts";
import { accountPath, useOperatorChange, useReportedFile } from "../api/queries/operator.ts";
import { tierName } from "../api/tier-words.ts";
import { Button } from "../design/button.tsx";
import { formatBytes, formatDate } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import rows from "../design/rows.module.css";
import { Skeleton } from "../design/skeleton.tsx";
import { toast } from "../design/toast.tsx";
import { registerCommands } from "../shell/commands.ts";
import styles from "./operator.module.css";
import { ReasonDialog } from "./reason-dialog.tsx";
import { ReportedPicture } from "./reported-picture.tsx";

interface ReportDecisionProps {
  readonly report: Report;
  /** Its place in the queue: "2 of 14". */
  readonly place: string;
  /** The buttons that go to the reports beside it. */
  readonly steps: ReactNode;
  readonly onDecided: () => void;
}

/** One report: the picture, the facts and the three decisions. */
export function ReportDecision({ report, place, steps, onDecided }: ReportDecisionProps) {
  const { data: found, error, refetch } = useReportedFile(report.id);
  const [shown, setShown] = useState<Decision>();
  useDecisionKeys(setShown, found);
  return (
    <article aria-label={`Report ${place}`} className={styles.report}>
      <header className={styles.reportHead}>
        <p className={rows.facts}>Report {place}</p>
        <div className={rows.row}>{steps}</div>
      </header>
      {error !== null && (
        <Problem error={error} title="The report could not be loaded" onRetry={() => void refetch()} />
      )}
      {found === undefined && error === null && <Skeleton height={280} />}
      {found !== undefined && (
        <div className={styles.beside}>
          <ReportedPicture file={found.file} />
          <div className={styles.stack}>
            <p className={styles.reason}>
              <strong>{report.reason}</strong>
            </p>
            <ReportFacts report={report} found={found} />
            <div className={rows.row}>
              <Button onClick={() => setShown("dismissed")}>Dismiss (D)</Button>
              <Button tone="danger" disabled={found.file === null} onClick={() => setShown("taken-down")}>
                Take down (T)
              </Button>
              <Button
                tone="danger"
                disabled={found.account === null || found.account.operator}
                onClick={() => setShown("suspended")}
              >
                Suspend account (S)
              </Button>
            </div>
            {found.account?.operator && (
              <p className={rows.facts}>The account has the operator's mark, so only the command line suspends it.</p>
            )}
            <Decisions found={found} shown={shown} onShow={setShown} onDecided={onDecided} />
          </div>
        </div>
      )}
    </article>
  );
}

function ReportFacts({ report, found: { account, file } }: { readonly report: Report; readonly found: ReportedFile }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Reported", formatDate(report.createdAt, "time")],
    ["By", report.source === "moderation" ? "The moderation hook" : (report.email ?? "Someone without an e-mail")],
    ["Address", <code key="url">{report.url}</code>],
    [
      "Account",
      account === null ? (
        "None, or erased"
      ) : (
        <Link key="account" to={`/operator/accounts/${account._id}`}>
          {account.email}
        </Link>
      ),
    ],
    ...(account === null ? [] : [["Tier", tierName(account.tier)] as const]),
    ...(account?.suspension ? [["Suspended", account.suspension.reason] as const] : []),
    ...(file === null
      ? []
      : ([
          ["File", file.originalFilename],
          ["Type", `${file.mimeType}, ${formatBytes(file.fileSize)}, ${file.visibility}`],
          ["Uploaded", formatDate(file.createdAt, "time")],
        ] as const)),
    ...(file?.takedown ? [["Taken down", file.takedown.reason] as const] : []),
    ...(report.decision === null ? [] : [["Decision", `${report.decision}: ${report.note ?? ""}`] as const]),
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([title, text]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

interface DecisionsProps {
  readonly found: ReportedFile;
  readonly shown: Decision | undefined;
  readonly onShow: (decision: Decision | undefined) => void;
  readonly onDecided: () => void;
}

/** The dialogs of the decisions. A takedown or a suspension comes before the decision, and both may be repeated. */
function Decisions({ found: { report, account, file }, shown, onShow, onDecided }: DecisionsProps) {
  const change = useOperatorChange();
  const decide = async (decision: Decision, reason: string, done: string) => {
    const path = `/admin/reports/${report.id}`;
    await change.mutateAsync({ method: "POST", path, body: { decision, reason }, reason });
    toast({ title: done, tone: "ok" });
    onDecided();
  };
  const showing = (decision: Decision) => ({
    open: shown === decision,
    onOpenChange: (open: boolean) => onShow(open ? decision : undefined),
  });
  return (
    <>
      <ReasonDialog
        {...showing("dismissed")}
        title="Dismiss the report?"
        description="The file stays as it is."
        action="Dismiss"
        onConfirm={(reason) => decide("dismissed", reason, "Report dismissed")}
      />
      <ReasonDialog
        {...showing("taken-down")}
        title={`Take down “${file?.originalFilename ?? "the file"}”?`}
        description="The file answers 451 at once. Its bytes are kept for 30 days and cannot be uploaded again."
        action="Take down"
        tone="danger"
        reasonHint="The owner reads it."
        onConfirm={async (reason) => {
          const body = { url: report.url, reason };
          await change.mutateAsync({ method: "POST", path: "/admin/takedowns", body, reason });
          await decide("taken-down", reason, "File taken down");
        }}
      />
      <ReasonDialog
        {...showing("suspended")}
        title={`Suspend ${account?.email ?? "the account"}?`}
        description="Its sessions and keys stop at once. Its files are served: take them down one by one, or suspend it with its files on its page."
        action="Suspend"
        tone="danger"
        reasonHint="The owner reads it at each request."
        onConfirm={async (reason) => {
          const path = `${accountPath(account?.email ?? "")}/suspend`;
          await change.mutateAsync({ method: "POST", path, body: { reason }, reason });
          await decide("suspended", reason, "Account suspended");
        }}
      />
    </>
  );
}

function useDecisionKeys(show: (decision: Decision) => void, found: ReportedFile | undefined): void {
  const hasFile = found !== undefined && found.file !== null;
  const hasAccount = found !== undefined && found.account !== null && !found.account.operator;
  const isFound = found !== undefined;
  useEffect(() => {
    const key = (decision: Decision, title: string, keys: string, when: boolean) => ({
      id: `report-${decision}`,
      title,
      keys,
      group: "Reports",
      when: () => when,
      run: () => show(decision),
    });
    return registerCommands([
      key("dismissed", "Dismiss the report", "d", isFound),
      key("taken-down", "Take the file down", "t", hasFile),
      key("suspended", "Suspend the account", "s", hasAccount),
    ]);
  }, [show, hasFile, hasAccount, isFound]);
}
