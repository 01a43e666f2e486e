/** Where Turnstile's widget is from. */
const TURNSTILE = "https://challenges.cloudflare.com";
/** What browsers would let a page ask for; the dashboard needs none. */
const FEATURES = ["camera", "display-capture", "geolocation", "microphone", "payment", "usb"];

interface PageKind {
  /** What the addresses of files start with. */
  readonly cdnUrl: string;
  /** The page shows Turnstile's widget, which makes scripts and frames of its own. */
  readonly hasTurnstile: boolean;
}

/**
 * The headers of the dashboard's pages: nothing runs or is shown there but our own files and the account's. Trusted Types leave no way to
 * make a script or markup of a text. Fonts and styles have no other source; the files' host is named once it is another.
 */
export function dashboardHeaders({ cdnUrl, hasTurnstile }: PageKind): Record<string, string> {
  const cdn = new URL(cdnUrl).origin;
  const policy = [
    "default-src 'none'",
    hasTurnstile ? `script-src 'self' ${TURNSTILE}` : "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' blob: ${cdn}`,
    `media-src 'self' blob: ${cdn}`,
    `connect-src 'self' ${cdn}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(hasTurnstile ? [`frame-src ${TURNSTILE}`] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
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
