/** Whether a failed change may have been made: its answer was lost, or the service broke off. */
export function isUnconfirmed(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { readonly statusCode?: number };
  return statusCode === 0 || (statusCode !== undefined && statusCode >= 500);
}
