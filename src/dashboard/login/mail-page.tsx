import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { ConfirmEmailForm } from "./confirm-email-form.tsx";
import { ForgotForm } from "./forgot-form.tsx";
import { ResetForm } from "./reset-form.tsx";
import { VerifyForm } from "./verify-form.tsx";

const FORMS: Readonly<Record<string, () => ReactNode>> = {
  "/forgot": ForgotForm,
  "/reset": ResetForm,
  "/verify": VerifyForm,
};

/** The pages of mailed links, and the page that asks for one. They share a chunk, because each path costs every page some bytes. */
export default function MailPage() {
  const [path] = useLocation();
  const Form = FORMS[path] ?? ConfirmEmailForm;
  return <Form />;
}
