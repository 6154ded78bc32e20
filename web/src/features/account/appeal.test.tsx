import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

const invalid = 'This link was already used.';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({ 'POST /api/reports/appeal': () => ({ message: 'We look again.' }) });
});
afterEach(() => api.stop());

describe('the appeal of a decision', () => {
  it('needs a text, and is sent with the token of the link', async () => {
    const { user } = await renderApp('/appeal?token=abc', { api });

    const send = await screen.findByRole('button', { name: 'Send appeal' });
    await user.click(send);
    expect(await screen.findByText('Please enter why you disagree')).toBeInTheDocument();
    await user.type(screen.getByLabelText(/Why do you disagree/), 'It was a joke.');
    await user.click(send);

    expect(await screen.findByText('We look again.')).toBeInTheDocument();
    expect(api.calls('POST /api/reports/appeal')[0]?.json).toEqual({
      token: 'abc',
      text: 'It was a joke.',
    });
  });

  it('keeps the text if the link is no longer valid', async () => {
    api.handlers['POST /api/reports/appeal'] = () => problem(400, 'APPEAL_LINK_INVALID', invalid);
    const { user } = await renderApp('/appeal?token=abc', { api });

    await user.type(await screen.findByLabelText(/Why do you disagree/), 'It was a joke.');
    await user.click(screen.getByRole('button', { name: 'Send appeal' }));

    expect(await screen.findByText(invalid)).toBeInTheDocument();
    expect(screen.getByLabelText(/Why do you disagree/)).toHaveValue('It was a joke.');
  });
});
