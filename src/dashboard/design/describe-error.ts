interface Described {
  readonly message: string;
  readonly requestId?: string | undefined;
}

interface ServiceError {
  readonly statusCode?: number;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
}

/** An error in words for people; the service's own where it answered. */
export function describeError(error: unknown): Described {
  const { statusCode, message, requestId } = (error ?? {}) as ServiceError;
  if (statusCode === 0) {
    const isOffline = typeof navigator !== "undefined" && navigator.onLine === false;
    return { message: isOffline ? "This device is offline." : "No answer came from the server." };
  }
  const words = message === undefined || message === "" ? "Something went wrong." : message;
  return { message: /[.!?]$/.test(words) ? words : `${words}.`, requestId };
}
