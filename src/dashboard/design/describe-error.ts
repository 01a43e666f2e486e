interface Described {
  readonly message: string;
  readonly requestId?: string | undefined;
}

interface ServiceError {
  readonly code?: string;
  readonly statusCode?: number;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
}

/** The error's message for users: the service's own, or a sentence about the connection. */
export function describeError(error: unknown): Described {
  const { statusCode, code, message, details, requestId } = (error ?? {}) as ServiceError;
  if (statusCode === 0) {
    const isOffline = typeof navigator !== "undefined" && navigator.onLine === false;
    return { message: isOffline ? "This device is offline." : "No answer came from the server." };
  }
  const reason = code === "account_suspended" ? `: ${details?.reason}` : "";
  const words = message === undefined || message === "" ? "Something went wrong." : message + reason;
  return { message: /[.!?]$/.test(words) ? words : `${words}.`, requestId };
}
