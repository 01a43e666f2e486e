import { useMutation } from "@tanstack/react-query";
import { connection } from "../client.ts";

interface Answer {
  readonly message: string;
}

/** The addresses that still have to confirm a change of the address. */
export interface EmailChangeProgress {
  readonly waitingFor: readonly ("old" | "new")[];
}

/** A request with a mailed link is not repeated, because the second request would find a used link. */
function post<Result>(path: string, body?: object): Promise<Result> {
  return connection.call<Result>("POST", path, { body, repeatable: false });
}

export function useVerifyEmail() {
  return useMutation({ mutationFn: (token: string) => post<Answer>("/auth/verify", { token }) });
}

export function useResendVerification() {
  return useMutation({ mutationFn: () => post<Answer>("/auth/verify/resend") });
}

export function useForgetPassword() {
  return useMutation({ mutationFn: (email: string) => post<Answer>("/auth/password/forgot", { email }) });
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { readonly token: string; readonly password: string }) =>
      post<Answer>("/auth/password/reset", body),
  });
}

export function useConfirmEmail() {
  return useMutation({ mutationFn: (token: string) => post<EmailChangeProgress>("/auth/email/confirm", { token }) });
}

/** Asks for another address. It may answer 403 `reauthentication_required` first. */
export function useChangeEmail() {
  return useMutation({ mutationFn: (email: string) => post<EmailChangeProgress>("/account/email", { email }) });
}
