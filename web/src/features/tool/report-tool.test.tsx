import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const tool = buildTool();
const sam = { ...rita, id: tool.userId, first_name: 'Sam' };

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/rentals/:id/owner': () => ({}),
    'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
    'GET /api/get-tool/:id': () => ({ tool: [tool] }),
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/user/:id/saved-tools/ids': () => ({ ids: [] }),
    'POST /api/reports': () => [201, { message: 'Thank you.', number: 'R-1001' }],
  });
});
afterEach(() => api.stop());

async function openDialog(asMember = false) {
  const path = asMember ? '/user/rental-details' : '/rental-details';
  const user = asMember ? rita : undefined;
  const rendered = await renderApp(`${path}?id=${tool.id}`, { api, ...(user && { user }) });
  await rendered.user.click(await screen.findByRole('button', { name: 'Report this tool' }));
  return { ...rendered, dialog: within(await screen.findByRole('dialog')) };
}

describe('reporting a tool', () => {
  it('needs a reason, a text and, from a visitor, an email', async () => {
    const { user, dialog } = await openDialog();

    await user.click(dialog.getByRole('button', { name: 'Send report' }));

    for (const missing of [
      'Please choose a reason',
      'Please enter what is wrong',
      'Please enter a valid email',
    ])
      expect(await dialog.findByText(missing)).toBeInTheDocument();
    expect(dialog.getByLabelText(/Reason/)).toHaveFocus();
    expect(api.calls('POST /api/reports')).toHaveLength(0);
  });

  it('sends a visitor’s report and shows its number', async () => {
    const { user, dialog } = await openDialog();

    await user.selectOptions(dialog.getByLabelText(/Reason/), 'It looks like a scam');
    await user.type(dialog.getByLabelText(/What is wrong/), 'Gift cards only.');
    await user.type(dialog.getByLabelText(/Your email/), 'anna@example.com');
    await user.click(dialog.getByRole('button', { name: 'Send report' }));

    expect(await dialog.findByText('R-1001')).toBeInTheDocument();
    expect(api.calls('POST /api/reports')[0]?.json).toEqual({
      about: 'tool',
      id: tool.id,
      reason: 'scam',
      text: 'Gift cards only.',
      email: 'anna@example.com',
    });
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('does not ask a member for an email, and keeps the text if the request fails', async () => {
    api.handlers['POST /api/reports'] = () =>
      problem(429, 'TOO_MANY_REQUESTS', 'You have sent many reports.');
    const { user, dialog } = await openDialog(true);

    expect(dialog.queryByLabelText(/Your email/)).not.toBeInTheDocument();
    await user.selectOptions(dialog.getByLabelText(/Reason/), 'Something else');
    await user.type(dialog.getByLabelText(/What is wrong/), 'Odd.');
    await user.click(dialog.getByRole('button', { name: 'Send report' }));

    expect(await dialog.findByRole('alert')).toHaveTextContent('You have sent many reports.');
    expect(dialog.getByLabelText(/What is wrong/)).toHaveValue('Odd.');
  });

  it('is not offered to the owner, who sees why a tool is hidden', async () => {
    const hidden = buildTool({ item_status: 'Unavailable', hiddenReason: 'Not allowed here.' });
    api.handlers['GET /api/get-tool/:id'] = () => ({ tool: [hidden] });
    await renderApp(`/user/rental-details?id=${tool.id}`, { api, user: sam });

    const alert = await screen.findByRole('alert', { name: 'Hidden by LendTools' });
    expect(alert).toHaveTextContent('Not allowed here.');
    expect(screen.queryByRole('button', { name: 'Report this tool' })).not.toBeInTheDocument();
  });
});
