import { useEffect, useRef } from "react";

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

/** Cloudflare Turnstile. Only this page's Content-Security-Policy allows its script (src/api/dashboard-headers.ts). */
export function Challenge({ siteKey, action, onToken, onError }: ChallengeProps) {
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

let loading: Promise<Turnstile> | undefined;

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
