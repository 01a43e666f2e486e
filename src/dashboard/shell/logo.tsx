/** The logo: a picture with a hill and a sun. */
export function Logo({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 22 22" aria-hidden="true">
      <rect width="22" height="22" rx="6" fill="currentcolor" />
      <path d="M4.5 15.5 9 9l3 4 1.6-2 3.9 4.5z" fill="var(--ground)" />
      <circle cx="14.6" cy="7.4" r="1.5" fill="var(--ground)" />
    </svg>
  );
}
