/** Origin of Turnstile's widget. */
const TURNSTILE = "https://challenges.cloudflare.com";
/** Browser features that are switched off: the dashboard needs none. */
const FEATURES = ["camera", "display-capture", "geolocation", "microphone", "payment", "usb"];

interface PageKind {
  /** Prefix of files' URLs. */
  readonly cdnUrl: string;
  /** The page shows Turnstile's widget, which creates its own scripts and frames. */
  readonly hasTurnstile: boolean;
}

/**
 * The headers of the dashboard's pages: only files of this service and of the account run or are shown. Trusted Types
 * forbid making scripts or markup from text; only the worker of shared files has a script URL. The files' host is listed because it may differ.
 */
export function dashboardHeaders({ cdnUrl, hasTurnstile }: PageKind): Record<string, string> {
  const cdn = new URL(cdnUrl).origin;
  const policy = [
    "default-src 'none'",
    hasTurnstile ? `script-src 'self' ${TURNSTILE}` : "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    `img-src 'self' blob: ${cdn}`,
    `media-src 'self' blob: ${cdn}`,
    `connect-src 'self' ${cdn}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(hasTurnstile
      ? [`frame-src ${TURNSTILE}`]
      : ["require-trusted-types-for 'script'", "trusted-types share-worker"]),
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": FEATURES.map((feature) => `${feature}=()`).join(", "),
    "Cache-Control": "no-cache",
  };
}
