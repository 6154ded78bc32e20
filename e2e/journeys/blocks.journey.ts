import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser } from '../src/browser.ts';
import { deskAndPhone, look } from '../src/look.ts';
import { api, listTool, newVerifiedPerson } from '../src/people.ts';
import { hold, line } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

describe.each(deskAndPhone)('blocking a person (%s)', (size, options) => {
  it('closes the conversation and hides the tools, until the person is unblocked', async () => {
    const [owner, renter] = await Promise.all([
      newVerifiedPerson({ first_name: 'Olive' }),
      newVerifiedPerson({ first_name: 'Rene', last_name: 'Rivers' }),
    ]);
    const toolId = await listTool(owner, { name: 'Tile saw' });
    const { body } = await waitFor('the question', async () => {
      const path = `/api/user/${renter.id}/rentals/${toolId}/send-question`;
      const reply = await api().post(path, { ...renter, body: { message: 'Gift cards?' } });
      return reply.status === 201 && reply;
    });
    const conversation = `/user/conversation?id=${body.messaging.bookingId}`;
    const owns = await openBrowser(browser, options);
    await enterAs(owns, owner);
    await owns.goTo(conversation);

    await owns.page.getByRole('button', { name: 'Block Rene' }).click();
    await owns.page.getByRole('dialog').waitFor();
    await look(owns, `block-${size}`);
    await owns.page.getByRole('dialog').getByRole('button', { name: 'Block Rene' }).click();
    await owns.page.getByText('You blocked Rene, so this conversation is closed.').waitFor();
    await look(owns, `blocked-${size}`);

    await waitFor('the tool to be hidden', async () => {
      const [tool, held] = [
        await api().get(`/api/get-tool/${toolId}`, renter),
        await hold(renter, [line(toolId)]),
      ];
      return tool.status === 404 && held.status === 404;
    });
    const rents = await openBrowser(browser, options);
    await enterAs(rents, renter);
    await rents.goTo(conversation);
    await rents.page.getByText('This conversation is closed.').waitFor();
    await look(rents, `conversation-closed-${size}`);

    await owns.goTo('/user/blocked-people');
    await owns.page.getByText('Rene R.').waitFor();
    await look(owns, `blocked-people-${size}`);
    await owns.page.getByRole('button', { name: 'Unblock Rene R.' }).click();
    await owns.page.getByText('You haven’t blocked anyone').waitFor();
    await waitFor('the tool to be shown', async () => {
      const { status } = await api().get(`/api/get-tool/${toolId}`, renter);
      return status === 200;
    });
    expect([...owns.complaints, ...rents.complaints]).toEqual([]);
  });
});
