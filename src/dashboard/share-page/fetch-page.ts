/** A page of the share, as the server answers it. */
export type PageAnswer =
  | { readonly kind: "page"; readonly page: Document }
  /** The share has ended, or asks for a password again. `document` has the server's page about it. */
  | { readonly kind: "over"; readonly page: Document }
  | { readonly kind: "busy"; readonly retryAfterSeconds: number }
  | { readonly kind: "failed" };

const OVER = [403, 404, 410];

/** Fetches a page as a document, whose scripts and pictures do not load. The browser parses the answer itself, as the page's policy demands. */
export function fetchPage(address: string): Promise<PageAnswer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.onload = () => resolve(judge(request));
    request.onerror = () => resolve({ kind: "failed" });
    request.send();
  });
}

function judge(request: XMLHttpRequest): PageAnswer {
  const { status } = request;
  if (status === 429)
    return { kind: "busy", retryAfterSeconds: Number(request.getResponseHeader("Retry-After")) || 60 };
  if (status !== 200 && !OVER.includes(status)) return { kind: "failed" };
  // Reading it parses it: the error page of another host could break the policy.
  const page: unknown = request.response;
  if (!(page instanceof Document)) return { kind: "failed" };
  return { kind: status === 200 ? "page" : "over", page };
}
