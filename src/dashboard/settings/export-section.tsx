import Download from "lucide-react/icons/download";
import { Button } from "../design/button.tsx";
import { formatPlural } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import styles from "./export-section.module.css";
import { useExport } from "./use-export.ts";

/** Downloads a list of all files, or all data of the account. */
export function ExportSection() {
  const { state, start, stop } = useExport();
  const isRunning = state.phase === "running";
  return (
    <Section title="Export" description="Exports contain the files' links, not the files. Ten exports an hour.">
      <div className={styles.row}>
        <Button icon={Download} disabled={isRunning} onClick={() => start("csv")}>
          Files as CSV
        </Button>
        <Button icon={Download} disabled={isRunning} onClick={() => start("json")}>
          Files as JSON
        </Button>
        <a className={styles.all} href="/account/export" download>
          All data as JSON Lines
        </a>
      </div>
      <p role="status" className={styles.state}>
        {isRunning && `${formatPlural(state.count, "file")} so far.`}
        {state.phase === "done" && `${formatPlural(state.count, "file")} saved.`}
        {state.phase === "stopped" && "Stopped. Nothing was saved."}
      </p>
      {isRunning && (
        <div className={styles.row}>
          <Button tone="quiet" onClick={stop}>
            Stop
          </Button>
        </div>
      )}
      {state.phase === "failed" && (
        <Problem error={state.error} title="The export failed" onRetry={() => start(state.format)} />
      )}
    </Section>
  );
}
