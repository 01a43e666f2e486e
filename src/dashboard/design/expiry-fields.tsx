import { EXPIRIES, type Expiry, toDay } from "./expiry.ts";
import { Field } from "./field.tsx";
import { Select } from "./select.tsx";

interface ExpiryFieldsProps<Value extends string> {
  readonly label: string;
  /** Further choices at the beginning of the list, for example to keep the present end. */
  readonly first?: readonly { readonly value: Value; readonly title: string }[];
  readonly value: Expiry | Value;
  readonly onChange: (value: Expiry | Value) => void;
  /** YYYY-MM-DD, for the choice of a date. */
  readonly day: string;
  readonly onDay: (day: string) => void;
  /** The service's message about the date. */
  readonly error: string | undefined;
}

/** Asks for the time at which something ends: after some days, on a date, or never. */
export function ExpiryFields<Value extends string = never>(props: ExpiryFieldsProps<Value>) {
  const { label, first = [], value, onChange, day, onDay, error } = props;
  return (
    <>
      <Select
        label={label}
        name="expiry"
        options={[...first, ...EXPIRIES]}
        value={value}
        onChange={(next) => onChange(next as Expiry | Value)}
      />
      {value === "date" && (
        <Field
          label="Last day"
          name="day"
          type="date"
          min={toDay(Date.now())}
          max="9999-12-31"
          required
          value={day}
          error={error}
          onChange={(event) => onDay(event.currentTarget.value)}
        />
      )}
    </>
  );
}
