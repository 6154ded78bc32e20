import type { Terms, Tool } from '@lendtools/contracts';
import { type Weekday, weekdays } from '@lendtools/contracts/local-time';
import { normalTime } from '@lendtools/contracts/rental-period';
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
import { formatDay, formatDayAndYear, laterDay, localDay } from '../../lib/format.ts';
import { RangeCalendar } from '../../ui/range-calendar.tsx';
import classes from './my-tools.module.css';

interface FieldsProps {
  terms: Terms;
  onChange: (changes: Terms) => void;
}

type Block = NonNullable<Terms['blocked']>[number];

const mostBlocks = 100;
/** Nobody books further ahead. */
const furthestDays = 365;

const rangeInWords = ({ from, to }: Block) =>
  from === to ? formatDayAndYear(from) : `${formatDay(from)} – ${formatDayAndYear(to)}`;

/** The ranges in a list, and a calendar to add one. */
function BlockedDays({ terms, onChange }: FieldsProps) {
  const blocked = terms.blocked ?? [];
  const [isAdding, setAdding] = useState(false);
  const [from, setFrom] = useState('');
  const today = localDay();
  const set = (blocks: Block[]) =>
    onChange({ blocked: blocks.toSorted((a, b) => a.from.localeCompare(b.from)) });
  const pick = (day: string) => {
    if (!from || day < from) return setFrom(day);
    set([...blocked, { from, to: day }]);
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
          // biome-ignore lint/suspicious/noArrayIndexKey: two ranges may be alike.
          <li key={index}>
            <Text fw={550}>{rangeInWords(block)}</Text>
            <TextInput
              aria-label={`Note for ${rangeInWords(block)}`}
              placeholder="Note (optional)"
              maxLength={80}
              value={block.note ?? ''}
              onChange={({ currentTarget }) => note(index, currentTarget.value)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Unblock ${rangeInWords(block)}`}
              onClick={() => set(blocked.filter((_, i) => i !== index))}
            >
              <IconX size={18} aria-hidden />
            </ActionIcon>
          </li>
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
      {blocked.length >= mostBlocks ? (
        <Text size="sm">At most {mostBlocks} ranges</Text>
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
}).map((value) => ({ value, label: normalTime(value) }));

/** A time that another client has set to the minute stays what it is. */
const clocksWith = (value: string) =>
  clocks.some((clock) => clock.value === value)
    ? clocks
    : [...clocks, { value, label: normalTime(value) }];

const usualHours = { from: '08:00', to: '18:00' };
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function DayHours({ day, terms, onChange }: FieldsProps & { day: Weekday }) {
  const hours = terms.hours?.[day];
  const name = capital(day);
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
  name: 'shortest' | 'longest' | 'noticeHours' | 'buffer';
  label: string;
  unit: string;
  most: number;
}

function Count({ name, label, unit, most, terms, onChange }: CountProps) {
  return (
    <NumberInput
      label={label}
      description={unit}
      placeholder="None"
      min={name === 'shortest' || name === 'longest' ? 1 : 0}
      max={most}
      allowDecimal={false}
      clampBehavior="strict"
      value={terms[name] ?? ''}
      onChange={(value) => onChange({ [name]: typeof value === 'number' ? value : undefined })}
    />
  );
}

const lengths = [3, 7, 28] as const;

function Discounts({ terms, onChange }: FieldsProps) {
  const discounts = terms.discounts ?? [];
  const set = (days: (typeof lengths)[number], percent: string | number) => {
    const others = discounts.filter((one) => one.days !== days);
    const next =
      typeof percent === 'number' && percent > 0 ? [...others, { days, percent }] : others;
    onChange({ discounts: next.toSorted((a, b) => a.days - b.days) });
  };
  return (
    <fieldset className={classes.group}>
      <legend>Discounts for longer rentals</legend>
      <SimpleGrid cols={3} spacing="sm">
        {lengths.map((days) => (
          <NumberInput
            key={days}
            label={`From ${days} days`}
            placeholder="None"
            suffix="%"
            min={0}
            max={90}
            allowDecimal={false}
            clampBehavior="strict"
            value={discounts.find((one) => one.days === days)?.percent ?? ''}
            onChange={(percent) => set(days, percent)}
          />
        ))}
      </SimpleGrid>
    </fieldset>
  );
}

interface TermsFieldsProps {
  /** As the text of their JSON, as the call takes them. */
  value: string;
  circle: Tool['rental_circle'];
  onChange: (value: string) => void;
}

/** What an owner may ask of a rental; everything is optional. */
export default function TermsFields({ value, circle, onChange }: TermsFieldsProps) {
  const terms = JSON.parse(value) as Terms;
  const fields = {
    terms,
    onChange: (changes: Terms) => onChange(JSON.stringify({ ...terms, ...changes })),
  };
  const isHourly = circle === 'hourly';
  const unit = isHourly ? 'In hours' : 'In days';
  const longest = isHourly ? 2_160 : 90;
  return (
    <Stack gap="lg">
      <Switch
        label="Stays listed while it is booked"
        description="Its calendar says when it is free. Otherwise a booking takes it off offer until you list it again."
        checked={terms.staysListed ?? false}
        onChange={({ currentTarget }) => fields.onChange({ staysListed: currentTarget.checked })}
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
        <Count {...fields} name="shortest" label="Shortest rental" unit={unit} most={longest} />
        <Count {...fields} name="longest" label="Longest rental" unit={unit} most={longest} />
        <Count {...fields} name="noticeHours" label="Notice" unit="Hours before" most={720} />
        <Count
          {...fields}
          name="buffer"
          label="Buffer"
          unit={isHourly ? 'Hours between two' : 'Days between two'}
          most={30}
        />
      </SimpleGrid>
      <Discounts {...fields} />
    </Stack>
  );
}
