import type { FormEvent } from "react";
import { Link, useLocation } from "wouter";
import { useRegister, useRegistrationMode } from "../api/queries/session.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import { keepFirstKey } from "../shell/first-key.ts";
import { Entrance } from "./entrance.tsx";
import styles from "./register-page.module.css";
import { RegistrationClosed } from "./registration-closed.tsx";

const SHORTEST_PASSWORD = 8;

export default function RegisterPage() {
  const [, navigate] = useLocation();
  const register = useRegister();
  const mode = useRegistrationMode().data?.mode ?? "open";
  const { fields, message } = fieldErrors(register.error, ["name", "email", "password"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (register.isPending) return;
    const form = new FormData(event.currentTarget);
    const name = String(form.get("name")).trim();
    const body = { email: String(form.get("email")), password: String(form.get("password")) };
    register.mutate(name === "" ? body : { ...body, name }, {
      onSuccess({ uploadKey }) {
        keepFirstKey(uploadKey);
        navigate("/welcome", { replace: true });
      },
    });
  };
  const foot = (
    <>
      Have an account? <Link href="/login">Log in</Link>
    </>
  );
  return (
    <Entrance title="Create an account" foot={foot}>
      {mode !== "open" && <RegistrationClosed mode={mode} />}
      <form className={styles.form} onSubmit={submit} hidden={mode === "closed"}>
        <Field label="Name" name="name" autoComplete="name" maxLength={100} hint="Optional" error={fields.name} />
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          maxLength={254}
          error={fields.email}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={SHORTEST_PASSWORD}
          maxLength={256}
          hint={`At least ${SHORTEST_PASSWORD} characters`}
          error={fields.password}
        />
        {message !== undefined && (
          <p role="alert" className={styles.error}>
            {message}
          </p>
        )}
        <Button type="submit" tone="main" size="large" busy={register.isPending}>
          Create account
        </Button>
      </form>
    </Entrance>
  );
}
