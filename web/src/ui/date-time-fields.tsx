import { Select } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { IconCalendar, IconClock } from '@tabler/icons-react';
import { timeOptions } from '../lib/time-options.ts';

interface FieldProps {
  label: string;
  /** Empty where nothing is chosen yet. */
  value: string;
  onChange: (value: string) => void;
  error?: string;
  required?: boolean;
}

interface DateFieldProps extends FieldProps {
  min?: string;
  max?: string;
}

/** A day as `YYYY-MM-DD`, picked from a calendar that goes from `min` to `max`. */
export function DateField({ value, onChange, min, max, ...field }: DateFieldProps) {
  return (
    <DatePickerInput
      {...field}
      value={value || null}
      onChange={(date) => onChange(date ?? '')}
      minDate={min}
      maxDate={max}
      defaultDate={value || min}
      valueFormat="ddd, MMM D"
      placeholder="Pick a day"
      firstDayOfWeek={0}
      // Red is kept for errors, so weekends look like other days.
      weekendDays={[]}
      size="md"
      leftSection={<IconCalendar size={18} aria-hidden />}
      withAsterisk={field.required}
      hideOutsideDates
      popoverProps={{ withinPortal: true, shadow: 'md', returnFocus: true }}
    />
  );
}

/** A time of `timeOptions`, such as `7.30 AM`. */
export function TimeSelect({ value, onChange, ...field }: FieldProps) {
  return (
    <Select
      {...field}
      data={timeOptions}
      value={value || null}
      onChange={(time) => onChange(time ?? '')}
      placeholder="Pick a time"
      leftSection={<IconClock size={18} aria-hidden />}
      withAsterisk={field.required}
      comboboxProps={{ shadow: 'md' }}
      maxDropdownHeight={260}
    />
  );
}
