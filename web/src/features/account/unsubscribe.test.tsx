import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

const token = '0193f2c0-0000-7000-8000-000000000001.messages.signature';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({ 'POST /api/unsubscribe': () => ({ topic: 'messages' }) });
});
afterEach(() => api.stop());

describe('the link that stops emails', () => {
  it('stops them only once the button is pressed, without a login', async () => {
    const { user } = await renderApp(`/unsubscribe?token=${token}`, { api });

    expect(
      await screen.findByText('Do you want to stop our emails about messages?'),
    ).toBeInTheDocument();
    expect(api.calls('POST /api/unsubscribe')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Stop these emails' }));

    expect(await screen.findByText('You get no more emails about messages.')).toBeInTheDocument();
    expect(api.calls('POST /api/unsubscribe')[0]?.query.get('token')).toBe(token);
    expect(screen.getByRole('link', { name: 'Choose all your emails' })).toHaveAttribute(
      'href',
      '/user/preferences',
    );
  });

  it('says what to do if it no longer works', async () => {
    api.handlers['POST /api/unsubscribe'] = () =>
      problem(400, 'UNSUBSCRIBE_LINK_INVALID', 'This link no longer works.');
    const { user } = await renderApp('/unsubscribe?token=x', { api });

    await user.click(await screen.findByRole('button', { name: 'Stop these emails' }));

    expect(await screen.findByText(/This link no longer works/)).toBeInTheDocument();
  });
});
