import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { FakeApi } from '../../../test/fake-api.ts';
import { buildTool } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { onPhone } from '../../../test/screen-width.ts';

const onRequest = buildTool({ terms: { booking: 'request' } });

let api: FakeApi;
beforeEach(async () => {
  onPhone();
  api = await FakeApi.start({
    'GET /api/rentals/:id/owner': () => ({}),
    'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
    'GET /api/get-tool/:id': () => ({ tool: [onRequest] }),
  });
});
afterEach(() => api.stop());

async function open(dates = '') {
  await renderApp(`/rental-details?id=${onRequest.id}${dates}`, { api });
  return within(await screen.findByRole('complementary', { name: 'Book this tool' }));
}

describe('the bottom bar on a phone', () => {
  it('asks for dates, and shows whether the tool is on request', async () => {
    const bar = await open();

    expect(bar.getByRole('button', { name: 'Choose dates' })).toBeVisible();
    expect(bar.getByText('On request')).toBeVisible();
  });

  it('shows the price of the chosen dates and a Continue button', async () => {
    const bar = await open('&start_date=2099-06-01&end_date=2099-06-04');

    expect(await bar.findByText('$36.00')).toBeVisible();
    expect(bar.getByText('Mon, Jun 1 to Thu, Jun 4, 3 days, on request')).toBeVisible();
    expect(bar.getByRole('button', { name: 'Continue' })).toBeVisible();
    expect(bar.queryByRole('button', { name: 'Choose dates' })).toBeNull();
  });
});
