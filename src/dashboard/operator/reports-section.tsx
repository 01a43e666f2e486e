import ShieldAlert from "lucide-react/icons/shield-alert";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import type { Report } from "../../client/types.ts";
import { useOperatorList } from "../api/queries/operator.ts";
import { Button } from "../design/button.tsx";
import { formatDate } from "../design/format.ts";
import { Section } from "../design/section.tsx";
import { Segmented } from "../design/segmented.tsx";
import { registerCommands } from "../shell/commands.ts";
import styles from "./operator.module.css";
import { OperatorListView } from "./operator-list.tsx";
import { ReportDecision } from "./report-decision.tsx";

const STATES = [
  { value: "open", title: "Open" },
  { value: "all", title: "All" },
] as const;

/** The queue of reports, oldest first: the list, and beside it the report that is decided. */
export default function ReportsSection() {
  const [search, setSearch] = useSearchParams();
  const status = search.get("status") === "all" ? "all" : "open";
  const list = useOperatorList<Report>("/admin/reports", { status });
  const reports = list.items ?? [];
  const [chosen, setChosen] = useState<string>();
  const index = Math.max(
    0,
    reports.findIndex(({ id }) => id === chosen),
  );
  const report = reports[index];
  const go = (by: 1 | -1) => setChosen(reports[Math.min(reports.length - 1, Math.max(0, index + by))]?.id);
  useReportKeys(go);
  return (
    <Section
      title="Reports"
      description="Oldest first. J and K go to the next and the previous report."
      aside={
        <Segmented
          label="Reports"
          options={STATES}
          value={status}
          onChange={(value) => setSearch(value === "all" ? { status: "all" } : {})}
        />
      }
    >
      <OperatorListView
        of={list}
        what="reports"
        empty={{ icon: ShieldAlert, title: "No reports wait", text: "Anyone reports a file at /report." }}
      >
        {() => (
          <div className={styles.reports}>
            <ol className={styles.queue} aria-label="Reports">
              {reports.map((each) => (
                <li key={each.id}>
                  <button
                    type="button"
                    className={styles.queued}
                    aria-current={each.id === report?.id ? "true" : undefined}
                    onClick={() => setChosen(each.id)}
                  >
                    <span className={styles.queuedReason}>{each.reason}</span>
                    <span className={styles.queuedFacts}>
                      {formatDate(each.createdAt, "time")}
                      {each.decision !== null && ` · ${each.decision}`}
                      {each.source === "moderation" && " · moderation hook"}
                    </span>
                  </button>
                </li>
              ))}
            </ol>
            {report !== undefined && (
              <ReportDecision
                key={report.id}
                report={report}
                place={`${index + 1} of ${reports.length}${list.hasNextPage ? " or more" : ""}`}
                onDecided={() => setChosen(reports[index + 1]?.id ?? reports[index - 1]?.id)}
                steps={
                  <>
                    <Button size="small" disabled={index === 0} onClick={() => go(-1)}>
                      Previous
                    </Button>
                    <Button size="small" disabled={index >= reports.length - 1} onClick={() => go(1)}>
                      Next
                    </Button>
                  </>
                }
              />
            )}
          </div>
        )}
      </OperatorListView>
    </Section>
  );
}

function useReportKeys(go: (by: 1 | -1) => void): void {
  const now = useRef(go);
  now.current = go;
  useEffect(
    () =>
      registerCommands([
        { id: "next-report", title: "Next report", keys: "j", group: "Reports", run: () => now.current(1) },
        { id: "previous-report", title: "Previous report", keys: "k", group: "Reports", run: () => now.current(-1) },
      ]),
    [],
  );
}
