import { afterEach, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ExportCsv } from './export-csv.tsx';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function savedNames() {
  const names: string[] = [];
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  return names;
}

it("names the file after the reader's local date", async () => {
  const names = savedNames();
  jest.useFakeTimers({ now: new Date('2026-11-27T04:00:00Z'), advanceTimers: true });
  // Simulates the local date: in Portland it is still the evening of the 26th.
  jest.spyOn(Date.prototype, 'getDate').mockReturnValue(26);
  const load = async () => ({ data: { rows: [], isCut: false } });
  render(
    <MantineProvider>
      <ExportCsv name="users" columns={[]} load={load} />
    </MantineProvider>,
  );

  const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  await user.click(screen.getByRole('button', { name: 'Export CSV' }));

  await waitFor(() => expect(names).toHaveLength(1));
  expect(names).toEqual(['lendtools-users-2026-11-26.csv']);
});
