interface RegistrationClosedProps {
  readonly mode: "closed" | "invited";
}

/** Why an account cannot be opened here, or by whom. */
export function RegistrationClosed({ mode }: RegistrationClosedProps) {
  return (
    <p>
      {mode === "closed"
        ? "New accounts are not opened here at present."
        : "Accounts are opened by invitation: use the e-mail address that was invited."}
    </p>
  );
}
