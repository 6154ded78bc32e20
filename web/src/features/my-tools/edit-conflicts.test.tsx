import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { sam } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildTool } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { baseApi } from '../../api/base-api.ts';

const block = { from: '2031-06-16', to: '2031-06-18' };
const elsewhere = { from: '2031-07-01', to: '2031-07-02' };
const conflict = 'This tool was changed elsewhere since you opened it.';

let api: FakeApi;
let tool: Tool;
beforeEach(async () => {
  tool = buildTool({ revision: 1, terms: { staysListed: true, buffer: 1, blocked: [block] } });
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/all-rental-categories': () => ({
      allCategories: [{ id: tool.categoryId, name: 'Power tools', image: 'null' }],
    }),
    'GET /api/user/:id/rentals/my-rentals': () => ({ rentals: [tool], nextCursor: null }),
    'GET /api/get-tool/:id': () => ({ tool: [tool] }),
    'PUT /api/update-rental/:id': ({ headers }) =>
      headers['if-match'] === `"${tool.revision}"`
        ? { message: 'Your tool is updated', rental: tool }
        : problem(412, 'EDITED_ELSEWHERE', conflict),
  });
});
afterEach(() => api.stop());

function edit() {
  return renderApp(`/user/my-tool-details?id=${tool.id}`, { api, user: sam });
}

function blockElsewhere() {
  tool = { ...tool, revision: 2, terms: { ...tool.terms, blocked: [block, elsewhere] } };
}

function puts() {
  return api.calls('PUT /api/update-rental/:id');
}

function sentTerms() {
  const text = /name="terms"\s+(\{.*\})/.exec(puts().at(-1)?.text ?? '')?.[1];
  return text && JSON.parse(text);
}

async function retype({ user }: Awaited<ReturnType<typeof edit>>, label: RegExp, text: string) {
  const field = await screen.findByRole('textbox', { name: label });
  await user.clear(field);
  await user.type(field, text);
}

describe('the form of a tool that was edited elsewhere', () => {
  it('does not overwrite newer terms with the older terms that it was opened with', async () => {
    const opened = await edit();
    await retype(opened, /^Name/, 'Rotary hammer');
    blockElsewhere();
    act(() => void opened.store.dispatch(baseApi.util.invalidateTags(['Tool'])));
    await waitFor(() => expect(api.calls('GET /api/get-tool/:id')).toHaveLength(2));

    await opened.user.click(screen.getByRole('button', { name: 'Update tool' }));

    await waitFor(() => expect(puts()).toHaveLength(1));
    expect(sentTerms()).toBeUndefined();
    expect(puts()[0]?.headers['if-match']).toBe('"1"');
  });

  it('loads the newest version of a tool on request, and keeps the edits', async () => {
    const opened = await edit();
    await retype(opened, /^Name/, 'Rotary hammer');
    blockElsewhere();
    await opened.user.click(screen.getByRole('button', { name: 'Update tool' }));
    expect(await screen.findByText(conflict)).toBeVisible();
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('Rotary hammer');

    await opened.user.click(screen.getByRole('button', { name: 'Load it again' }));

    await waitFor(() => expect(screen.queryByText(conflict)).toBeNull());
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('Rotary hammer');
    await opened.user.click(screen.getByRole('button', { name: 'Update tool' }));
    await screen.findByText('Your tool is updated');
    expect(puts()[1]?.headers['if-match']).toBe('"2"');
    expect(puts()[1]?.text).toContain('Rotary hammer');
    expect(sentTerms()).toBeUndefined();
  });

  it('merges edited terms with blocked days that were added elsewhere', async () => {
    const opened = await edit();
    await opened.user.click(await screen.findByRole('button', { name: 'Availability and terms' }));
    await retype(opened, /^Buffer/, '3');
    cleanup();
    blockElsewhere();

    const again = await edit();
    await again.user.click(await screen.findByRole('button', { name: 'Update tool' }));

    await waitFor(() => expect(puts()).toHaveLength(1));
    expect(sentTerms()).toEqual({ staysListed: true, buffer: 3, blocked: [block, elsewhere] });
  });
});
