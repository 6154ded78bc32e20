import type { Terms, Tool } from '@lendtools/contracts';
import { policyInWords, policyNames } from '@lendtools/contracts/cancellation';
import { laterDay, type Weekday, weekdayName, weekdays } from '@lendtools/contracts/local-time';
import { furthestDays, timeInWords } from '@lendtools/contracts/rental-period';
import { discountDays, termsLimits } from '@lendtools/contracts/terms-limits';
import {
  ActionIcon,
  Button,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { formatDay, formatDayAndYear, localDay } from '../../rental/format.ts';
import { RangeCalendar } from '../../ui/when/range-calendar.tsx';
import { applyChange, type Block, blockRange } from './lent-days.ts';
import classes from './my-tools.module.css';
import { type CountName, countLimits, outside, percentLimits } from './terms-problem.ts';

interface FieldsProps {
  terms: Terms;
  onChange: (changes: Terms) => void;
}

function rangeInWords({ from, to }: Block) {
  return from === to ? formatDayAndYear(from) : `${formatDay(from)} – ${formatDayAndYear(to)}`;
}

interface BlockedRangeProps {
  block: Block;
  onNote: (text: string) => void;
  onRemove: () => void;
}

function BlockedRange({ block, onNote, onRemove }: BlockedRangeProps) {
  const days = rangeInWords(block);
  return (
    <li>
      <Text fw={550}>{days}</Text>
      <TextInput
        aria-label={`Note for ${days}`}
        placeholder="Note (optional)"
        maxLength={termsLimits.note}
        value={block.note ?? ''}
        onChange={({ currentTarget }) => onNote(currentTarget.value)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Unblock ${days}`}
        onClick={onRemove}
      >
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </li>
  );
}

function BlockedDays({ terms, onChange }: FieldsProps) {
  const blocked = terms.blocked ?? [];
  const [isAdding, setAdding] = useState(false);
  const [from, setFrom] = useState('');
  const today = localDay();
  const pick = (day: string) => {
    if (!from || day < from) return setFrom(day);
    onChange({ blocked: applyChange(blocked, blockRange(blocked, { from, to: day })) });
    setFrom('');
    setAdding(false);
  };
  const note = (index: number, text: string) =>
    onChange({
      blocked: blocked.map((block, i) =>
        i === index ? { ...block, note: text || undefined } : block,
      ),
    });
  return (
    <fieldset className={classes.group}>
      <legend>Blocked days</legend>
      <Text size="sm" c="dimmed">
        Nobody can rent it on these days. Your notes are for you alone.
      </Text>
      <ul className={classes.blocks}>
        {blocked.map((block, index) => (
          <BlockedRange
            // biome-ignore lint/suspicious/noArrayIndexKey: two ranges may be equal.
            key={index}
            block={block}
            onNote={(text) => note(index, text)}
            onRemove={() => onChange({ blocked: blocked.filter((_, i) => i !== index) })}
          />
        ))}
      </ul>
      {isAdding && (
        <div className={classes.calendar}>
          <RangeCalendar
            start={from}
            end=""
            picking={from ? 'end' : 'start'}
            words={{ start: 'Pick the first day', ends: 'the last day' }}
            min={today}
            max={laterDay(today, furthestDays)}
            isTaken={(day) => blocked.some((block) => day >= block.from && day <= block.to)}
            onPick={pick}
          />
        </div>
      )}
      {blocked.length >= termsLimits.blocked ? (
        <Text size="sm">At most {termsLimits.blocked} ranges</Text>
      ) : (
        <Button
          variant="default"
          size="sm"
          leftSection={isAdding ? undefined : <IconPlus size={16} aria-hidden />}
          onClick={() => {
            setFrom('');
            setAdding(!isAdding);
          }}
          style={{ alignSelf: 'flex-start' }}
        >
          {isAdding ? 'Cancel' : 'Block days'}
        </Button>
      )}
    </fieldset>
  );
}

const clocks = Array.from({ length: 48 }, (_, half) => {
  const hour = String(Math.floor(half / 2)).padStart(2, '0');
  return `${hour}:${half % 2 ? '30' : '00'}`;
}).map((value) => ({ value, label: timeInWords(value) }));

/** Another API client may have set a time that is not in the list; add it, so that the select can show it. */
function clocksWith(value: string) {
  return clocks.some((clock) => clock.value === value)
    ? clocks
    : [...clocks, { value, label: timeInWords(value) }];
}

const usualHours = { from: '08:00', to: '18:00' };

function DayHours({ day, terms, onChange }: FieldsProps & { day: Weekday }) {
  const hours = terms.hours?.[day];
  const name = weekdayName(day);
  const set = (next: typeof hours) => {
    const { [day]: _, ...others } = terms.hours ?? {};
    onChange({ hours: next === undefined ? others : { ...others, [day]: next } });
  };
  const choose = (choice: string) =>
    set(choice === 'hours' ? usualHours : choice === 'closed' ? null : undefined);
  const time = (end: 'from' | 'to', label: string) =>
    hours && (
      <NativeSelect
        aria-label={`${name}, ${label}`}
        value={hours[end]}
        data={clocksWith(hours[end])}
        onChange={({ currentTarget }) => set({ ...hours, [end]: currentTarget.value })}
      />
    );
  return (
    <li>
      <span aria-hidden>{name}</span>
      <NativeSelect
        aria-label={name}
        value={hours ? 'hours' : hours === null ? 'closed' : 'open'}
        data={[
          { value: 'open', label: 'All day' },
          { value: 'hours', label: 'From … to …' },
          { value: 'closed', label: 'Closed' },
        ]}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {time('from', 'from')}
      {time('to', 'to')}
    </li>
  );
}

interface CountProps extends FieldsProps {
  name: CountName;
  label: string;
  unit: string;
  circle: Tool['rental_circle'];
}

function Count({ name, label, unit, circle, terms, onChange }: CountProps) {
  return (
    <NumberInput
      label={label}
      description={unit}
      placeholder="None"
      allowDecimal={false}
      allowNegative={false}
      value={terms[name] ?? ''}
      error={outside(terms[name], countLimits(circle)[name])}
      onChange={(value) => onChange({ [name]: typeof value === 'number' ? value : undefined })}
    />
  );
}

function Discounts({ terms, onChange }: FieldsProps) {
  const discounts = terms.discounts ?? [];
  const percentOf = (days: number) => discounts.find((one) => one.days === days)?.percent;
  const set = (days: (typeof discountDays)[number], percent: string | number) => {
    const others = discounts.filter((one) => one.days !== days);
    const next =
      typeof percent === 'number' && percent > 0 ? [...others, { days, percent }] : others;
    onChange({ discounts: next.toSorted((a, b) => a.days - b.days) });
  };
  return (
    <fieldset className={classes.group}>
      <legend>Discounts for longer rentals</legend>
      <SimpleGrid cols={3} spacing="sm">
        {discountDays.map((days) => (
          <NumberInput
            key={days}
            label={`From ${days} days`}
            placeholder="None"
            suffix="%"
            allowDecimal={false}
            allowNegative={false}
            value={percentOf(days) ?? ''}
            error={outside(percentOf(days), percentLimits)}
            onChange={(percent) => set(days, percent)}
          />
        ))}
      </SimpleGrid>
    </fieldset>
  );
}

function Cancellation({ terms, onChange }: FieldsProps) {
  const { cancellation } = terms;
  return (
    <NativeSelect
      label="Cancellation by the renter"
      description={`${policyInWords(cancellation ?? null)} Bookings keep what they were made under.`}
      value={cancellation ?? ''}
      data={[
        { value: '', label: 'Free' },
        ...policyNames.map((name) => ({
          value: name,
          label: name.charAt(0).toUpperCase() + name.slice(1),
        })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        onChange({ cancellation: policyNames.find((name) => name === value) })
      }
    />
  );
}

interface TermsFieldsProps {
  /** The terms as JSON, as the API takes them. */
  value: string;
  circle: Tool['rental_circle'];
  onChange: (value: string) => void;
}

export default function TermsFields({ value, circle, onChange }: TermsFieldsProps) {
  const terms = JSON.parse(value) as Terms;
  const fields = {
    terms,
    onChange: (changes: Terms) => onChange(JSON.stringify({ ...terms, ...changes })),
  };
  const counts = { ...fields, circle };
  const isHourly = circle === 'hourly';
  const unit = isHourly ? 'In hours' : 'In days';
  return (
    <Stack gap="lg">
      <Switch
        label="Stays listed while it is booked"
        description="Its calendar says when it is free. Otherwise a booking takes it off offer until you list it again."
        checked={terms.staysListed ?? false}
        onChange={({ currentTarget }) => fields.onChange({ staysListed: currentTarget.checked })}
      />
      <Switch
        label="Ask me before each booking"
        description="You accept or decline within 24 hours. The renter’s card is charged only if you accept."
        checked={terms.booking === 'request'}
        onChange={({ currentTarget }) =>
          fields.onChange({ booking: currentTarget.checked ? 'request' : undefined })
        }
      />
      <BlockedDays {...fields} />
      <fieldset className={classes.group}>
        <legend>Pick-up and return</legend>
        <ul className={classes.hours}>
          {[...weekdays.slice(1), ...weekdays.slice(0, 1)].map((day) => (
            <DayHours key={day} day={day} {...fields} />
          ))}
        </ul>
      </fieldset>
      <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="sm">
        <Count {...counts} name="shortest" label="Shortest rental" unit={unit} />
        <Count {...counts} name="longest" label="Longest rental" unit={unit} />
        <Count {...counts} name="noticeHours" label="Notice" unit="Hours before" />
        <Count
          {...counts}
          name="buffer"
          label="Buffer"
          unit={isHourly ? 'Hours between two' : 'Days between two'}
        />
      </SimpleGrid>
      <Discounts {...fields} />
      <Cancellation {...fields} />
    </Stack>
  );
}
