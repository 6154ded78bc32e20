import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Availability, Tool } from '@lendtools/contracts';
import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { buildTool } from '../../../test/people-and-tools.ts';
import { emptyDraft } from '../../rental/booking-draft.ts';
import { makeToolCalendar } from '../../rental/tool-calendar.ts';
import { WhenFields } from './when-fields.tsx';

const start = '2099-06-01';
beforeEach(() => {
  // Moves the running clock to two weeks before the dates of this test.
  const now = Date.now.bind(Date);
  const ahead = Date.parse('2099-05-18') - now();
  jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
});
afterEach(() => {
  jest.restoreAllMocks();
});

function Form({ replies = [], ...facts }: { replies?: Availability[] } & Partial<Tool>) {
  const tool = buildTool(facts);
  const [calendar] = useState(() => makeToolCalendar(tool, replies));
  const [draft, setDraft] = useState({ ...emptyDraft, start_date: start });
  return (
    <MantineProvider env="test">
      <WhenFields
        tool={tool}
        draft={draft}
        errors={{}}
        withTimes
        calendar={calendar}
        onChange={setDraft}
      />
    </MantineProvider>
  );
}

it('chooses both days in one calendar, also by keyboard, and fills in the usual times', async () => {
  const user = userEvent.setup();
  render(<Form />);
  const returning = screen.getByRole('button', { name: 'Returning date Pick a day' });

  await user.click(returning);
  (await screen.findByRole('button', { name: 'Wednesday, June 3, 2099' })).focus();
  await user.keyboard('{Enter}');

  expect(returning).toHaveFocus();
  expect(returning).toHaveAccessibleName('Returning date Wed, Jun 3');
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByLabelText(/Start time/)).toHaveValue('9.00 AM');
  expect(screen.getByLabelText(/Returning time/)).toHaveValue('9.00 AM');
});

it('opens the calendar by the down arrow, and moves in it and beyond its month by arrows', async () => {
  const user = userEvent.setup();
  render(<Form />);
  const starting = screen.getByRole('button', { name: /Start date/ });
  starting.focus();

  await user.keyboard('{ArrowDown}');

  const day = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}`) });
  await waitFor(async () => expect(await day('Monday, June 1, 2099')).toHaveFocus());
  await user.keyboard('{ArrowRight}');
  expect(await day('Tuesday, June 2, 2099')).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  expect(await day('Tuesday, May 26, 2099')).toHaveFocus();
  await user.keyboard('{ArrowDown>5/}');
  expect(await day('Tuesday, June 30, 2099')).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(await day('Wednesday, July 1, 2099')).toHaveFocus();
  await user.keyboard('{Enter}{Escape}');
  expect(screen.getByRole('button', { name: 'Start date Wed, Jul 1' })).toBeVisible();
});

it('sets a new start when a day before the start is picked', async () => {
  const user = userEvent.setup();
  render(<Form />);

  await user.click(screen.getByRole('button', { name: /Start date/ }));
  await user.click(await screen.findByRole('button', { name: 'Wednesday, June 10, 2099' }));
  await user.click(screen.getByRole('button', { name: 'Tuesday, June 9, 2099' }));
  await user.click(screen.getByRole('button', { name: 'Friday, June 12, 2099' }));

  expect(screen.getByRole('button', { name: 'Start date Tue, Jun 9' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Returning date Fri, Jun 12' })).toBeVisible();
});

it('labels the month, and the days of the rental', async () => {
  const user = userEvent.setup();
  render(<Form />);
  await user.click(screen.getByRole('button', { name: /Returning date/ }));
  await user.click(await screen.findByRole('button', { name: 'Wednesday, June 3, 2099' }));
  await user.click(screen.getByRole('button', { name: /Start date/ }));

  const shown = await screen.findByRole('table', { name: 'June 2099' });
  const between = within(shown).getByRole('button', { name: /^Tuesday, June 2, 2099/ });
  expect(between).toHaveAccessibleName('Tuesday, June 2, 2099, part of your rental');
  await user.click(screen.getByRole('button', { name: 'Next month' }));
  expect(screen.getByRole('table', { name: 'July 2099' })).toBeVisible();
  expect(screen.getByText('July 2099')).toHaveAttribute('aria-live', 'polite');
});

it('lists the times in a native select, which fits a phone’s screen', () => {
  render(<Form />);

  const times = screen.getByLabelText(/Returning time/);
  expect(times.tagName).toBe('SELECT');
  expect(
    within(times)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toContain('7:15 PM');
});

function calendarReply(): Availability {
  return {
    item_status: 'Available',
    rental_circle: 'daily',
    quantity: 2,
    terms: null,
    timeZone: 'America/Los_Angeles',
    days: [
      { date: '2099-06-01', free: 2, why: null },
      { date: '2099-06-02', free: 1, why: null },
      { date: '2099-06-03', free: 0, why: 'booked' },
      { date: '2099-06-04', free: 2, why: 'closed' },
    ],
    taken: [1, 2].map((unit) => ({
      unit,
      why: 'booked',
      from: '2099-06-03T07:00:00.000Z',
      to: '2099-06-04T07:00:00.000Z',
    })),
  };
}

it('labels the state of each day, and disables taken days and ranges that include one', async () => {
  const user = userEvent.setup();
  render(<Form replies={[calendarReply()]} />);
  const day = (name: string) => screen.getByRole('button', { name });

  await user.click(screen.getByRole('button', { name: /Start date/ }));
  await screen.findByRole('table');
  expect(day('Monday, June 1, 2099, start date, free')).toBeEnabled();
  expect(day('Tuesday, June 2, 2099, 1 of 2 free')).toBeEnabled();
  expect(day('Wednesday, June 3, 2099, taken')).toBeDisabled();
  expect(day('Thursday, June 4, 2099, closed for pick-up and return')).toBeDisabled();
  await user.click(day('Monday, June 1, 2099, start date, free'));

  // The rental may end on the morning of the taken day, but not after it.
  expect(day('Tuesday, June 2, 2099, 1 of 2 free')).toBeEnabled();
  expect(day('Friday, June 5, 2099')).toBeDisabled();
});

it('labels a start day without a possible end as not free long enough', async () => {
  const user = userEvent.setup();
  const page = { ...calendarReply(), terms: { shortest: 3 } };
  render(<Form replies={[page]} />);

  await user.click(screen.getByRole('button', { name: /Start date/ }));
  await screen.findByRole('table');

  const name = 'Monday, June 1, 2099, start date, not free long enough';
  expect(screen.getByRole('button', { name })).toBeDisabled();
});

it('keeps a chosen start time when the days change', async () => {
  const user = userEvent.setup();
  const hourly = { ...calendarReply(), rental_circle: 'hourly' as const };
  const noon = { from: '2099-06-03T19:00:00.000Z', to: '2099-06-03T21:00:00.000Z' };
  const page = { ...hourly, taken: hourly.taken.map((one) => ({ ...one, ...noon })) };
  render(<Form replies={[page]} rental_circle="hourly" />);
  const pick = async (field: RegExp, day: RegExp) => {
    const button = screen.getByRole('button', { name: field });
    if (button.getAttribute('aria-expanded') === 'false') await user.click(button);
    await user.click(await screen.findByRole('button', { name: day }));
  };

  await pick(/Returning date/, /^Monday, June 1, 2099/);
  await user.selectOptions(screen.getByLabelText(/Start time/), '12.30 PM');
  expect(screen.getByLabelText(/Returning time/)).toHaveValue('2.30 PM');
  await pick(/Start date/, /^Wednesday, June 3, 2099/);
  await pick(/Returning date/, /^Wednesday, June 3, 2099/);

  expect(screen.getByLabelText(/Start time/)).toHaveValue('12.30 PM');
  expect(screen.getByLabelText(/Returning time/)).toHaveValue('2.30 PM');
});
