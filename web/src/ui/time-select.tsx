import { NativeSelect } from '@mantine/core';

interface TimeSelectProps {
  label: string;
  /** Empty where nothing is chosen yet. */
  value: string;
  /** Such as `7.30 AM`. */
  times: readonly string[];
  onChange: (value: string) => void;
  error?: string;
}

/** The browser's own list: on a phone it is the wheel that everybody knows, and it never leaves the screen. */
export function TimeSelect({ value, times, onChange, ...field }: TimeSelectProps) {
  return (
    <NativeSelect
      {...field}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      required
    >
      <option value="" disabled hidden>
        Pick a time
      </option>
      {/* What was chosen stays to be seen, though the day may no longer allow it. */}
      {value && !times.includes(value) && <option disabled>{value}</option>}
      {times.map((time) => (
        <option key={time}>{time}</option>
      ))}
    </NativeSelect>
  );
}
