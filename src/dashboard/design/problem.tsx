import CircleAlert from "lucide-react/icons/circle-alert";
import { Button } from "./button.tsx";
import { describeError } from "./describe-error.ts";
import styles from "./problem.module.css";

interface ProblemProps {
  readonly error: unknown;
  /** The failed action, for example "The keys could not be loaded". */
  readonly title?: string;
  readonly onRetry?: () => void;
}

/** An error within the page: the service's message, the request id and a Retry button. */
export function Problem({ error, title = "This could not be loaded", onRetry }: ProblemProps) {
  const { message, requestId } = describeError(error);
  return (
    <div role="alert" className={styles.problem}>
      <CircleAlert size={18} aria-hidden />
      <div>
        <p className={styles.title}>{title}</p>
        <p className={styles.message}>{message}</p>
        {requestId !== undefined && (
          <p className={styles.id}>
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}
