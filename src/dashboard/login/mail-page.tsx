import { type ReactNode, useEffect } from "react";
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
  useEffect(() => {
    // If a second link is pasted into the same tab, only the hash changes, and the page would show the first link's state.
    const reload = () => location.reload();
    addEventListener("hashchange", reload);
    return () => removeEventListener("hashchange", reload);
  }, []);
  const Form = FORMS[path] ?? ConfirmEmailForm;
  return <Form />;
}
