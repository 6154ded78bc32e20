import { timeInWords } from '@lendtools/contracts/rental-period';
import { NativeSelect } from '@mantine/core';

interface TimeSelectProps {
  label: string;
  value: string;
  times: readonly string[];
  onChange: (value: string) => void;
  error?: string;
}

/** Offers times in the form of the API, `9.00 AM`. A native select: on a phone it opens the system's own picker and always fits the screen. */
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
      {/* Lists a chosen time that the day no longer allows, so that the select can show it. */}
      {value && !times.includes(value) && (
        <option disabled value={value}>
          {timeInWords(value)}
        </option>
      )}
      {times.map((time) => (
        <option key={time} value={time}>
          {timeInWords(time)}
        </option>
      ))}
    </NativeSelect>
  );
}
