import { expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { DateField } from './date-time-fields.tsx';

it('a day picked by key returns the focus to its field', async () => {
  const user = userEvent.setup();
  render(
    <MantineProvider env="test">
      <DateField label="Pickup date" value="2026-11-23" onChange={() => undefined} />
    </MantineProvider>,
  );
  const field = screen.getByRole('button', { name: 'Pickup date' });

  await user.click(field);
  const day = await screen.findByRole('button', { name: '24 November 2026' });
  day.focus();
  await user.keyboard('{Enter}');

  await waitFor(() => expect(field).toHaveFocus());
});
