import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { Entrance } from "./entrance.tsx";
import { isRefusedLink } from "./is-refused-link.ts";
import { linkToken } from "./link-token.ts";
import { Outcome } from "./outcome.tsx";
import styles from "./register-page.module.css";

interface LinkPageProps<Answer> {
  readonly title: string;
  readonly explanation: string;
  readonly action: string;
  /** Called with the link's token. */
  readonly mutation: UseMutationResult<Answer, Error, string>;
  readonly done: (answer: Answer) => ReactNode;
  /** The next step for a user whose link is expired or used. */
  readonly refused: ReactNode;
}

/** A page that a mailed link opens. Only a click uses the link, because mail programs open links by themselves. */
export function LinkPage<Answer>({ title, explanation, action, mutation, done, refused }: LinkPageProps<Answer>) {
  const token = linkToken();
  // A full page load, because the dashboard may show another session.
  const foot = <a href="/dashboard/library">Go to the dashboard</a>;
  return (
    <Entrance title={title} foot={foot}>
      {mutation.data !== undefined ? (
        <Outcome>
          <p>{done(mutation.data)}</p>
        </Outcome>
      ) : isRefusedLink(mutation.error) ? (
        <Outcome tone="refused">
          <strong>The link is invalid, expired or used.</strong>
          <p>{refused}</p>
        </Outcome>
      ) : token === "" ? (
        <p role="alert">This page needs the link of your mail. Open the mail and follow its link again.</p>
      ) : (
        <div className={styles.form}>
          <p>{explanation}</p>
          {mutation.error !== null && (
            <p role="alert" className={styles.error}>
              {describeError(mutation.error).message}
            </p>
          )}
          <Button tone="main" size="large" busy={mutation.isPending} onClick={() => mutation.mutate(token)}>
            {action}
          </Button>
        </div>
      )}
    </Entrance>
  );
}
