import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { useRegister, useRegistrationMode } from "../api/queries/account-changes.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { PasswordField } from "../design/password-field.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import { keepFirstKey } from "../shell/first-key.ts";
import { Entrance } from "./entrance.tsx";
import styles from "./register-page.module.css";

const SCRIPT = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

interface Turnstile {
  render(container: HTMLElement, options: Readonly<Record<string, unknown>>): string;
  remove(widget: string): void;
}

interface ChallengeProps {
  readonly siteKey: string;
  readonly action: string;
  /** Undefined if the last token has expired. */
  readonly onToken: (token: string | undefined) => void;
  readonly onError: () => void;
}

let loading: Promise<Turnstile> | undefined;

export default function RegisterPage() {
  const [, navigate] = useLocation();
  const invitation = new URLSearchParams(useSearch()).get("invite");
  const register = useRegister();
  const { mode = "open", turnstile } = useRegistrationMode().data ?? {};
  const [token, setToken] = useState<string>();
  const [isBlocked, setBlocked] = useState(false);
  const block = useCallback(() => setBlocked(true), []);
  const { fields, message } = fieldErrors(register.error, ["name", "email", "password"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (register.isPending) return;
    const form = new FormData(event.currentTarget);
    const name = String(form.get("name")).trim();
    const body = {
      email: String(form.get("email")),
      password: String(form.get("password")),
      ...(name !== "" && { name }),
      ...(token !== undefined && { turnstileToken: token }),
      ...(invitation !== null && { invitation }),
    };
    register.mutate(body, {
      onError: () => setToken(undefined),
      onSuccess({ uploadKey }) {
        keepFirstKey(uploadKey);
        navigate("/welcome", { replace: true });
      },
    });
  };
  const foot = (
    <>
      Have an account? <Link href="/login">Log in</Link>
    </>
  );
  return (
    <Entrance title="Create an account" foot={foot}>
      {mode === "closed" && <p>Registration is closed.</p>}
      {mode === "invited" && (
        <p>
          {invitation === null
            ? "Registration is by invitation. Open the link of your invitation."
            : "Use the e-mail address that was invited."}
        </p>
      )}
      <form className={styles.form} onSubmit={submit} hidden={mode === "closed"}>
        <Field label="Name" name="name" autoComplete="name" maxLength={100} hint="Optional" error={fields.name} />
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          maxLength={254}
          error={fields.email}
        />
        <PasswordField label="Password" name="password" isNew required error={fields.password} />
        {message !== undefined && (
          <p role="alert" className={styles.error}>
            {message}
          </p>
        )}
        {/* Each attempt needs a new token, so the widget is mounted again. */}
        {turnstile != null && (
          <Challenge key={register.submittedAt} {...turnstile} onToken={setToken} onError={block} />
        )}
        {isBlocked && (
          <p role="alert" className={styles.error}>
            The anti-bot check did not load. A content blocker may be blocking it.
          </p>
        )}
        <Button
          type="submit"
          tone="main"
          size="large"
          busy={register.isPending}
          disabled={turnstile != null && token === undefined}
        >
          Create account
        </Button>
      </form>
    </Entrance>
  );
}

/** Cloudflare Turnstile. Only this page's Content-Security-Policy allows its script (src/api/serve-dashboard.ts). */
function Challenge({ siteKey, action, onToken, onError }: ChallengeProps) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let end = () => {};
    let isOver = false;
    const show = (turnstile: Turnstile) => {
      if (isOver || container.current === null) return;
      const widget = turnstile.render(container.current, {
        sitekey: siteKey,
        action,
        theme: "auto",
        size: "flexible",
        callback: onToken,
        "expired-callback": () => onToken(undefined),
        "error-callback": onError,
      });
      end = () => turnstile.remove(widget);
    };
    loadTurnstile().then(show, onError);
    return () => {
      isOver = true;
      end();
    };
  }, [siteKey, action, onToken, onError]);
  return <div ref={container} />;
}

function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.onload = () => resolve((globalThis as unknown as { turnstile: Turnstile }).turnstile);
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}
