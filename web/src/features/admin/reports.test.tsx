import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Report } from '@lendtools/contracts';
import { screen, within } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const admin = {
  ...rita,
  id: '0190c000-0000-7000-8000-0000000000aa',
  role: 'Admin',
  first_name: 'Ada',
};
const tool = buildTool();
const author = { id: tool.userId, first_name: 'Sam', last_name: 'Okafor' };
const ada = { id: admin.id, first_name: 'Ada', last_name: 'Lopez' };

function buildReport(changes: Partial<Report> = {}): Report {
  return {
    id: '01915000-0000-7000-8000-000000000001',
    number: 'R-1001',
    about: 'tool',
    contentId: tool.id,
    bookingId: null,
    title: tool.name,
    content: tool.description,
    images: [tool.cover_image],
    author,
    others: { reports: 2, decisionsAgainst: 1 },
    reason: 'scam',
    text: 'Gift cards only.',
    reporter: { id: rita.id, first_name: 'Rita', last_name: 'Lopez' },
    reporterEmail: rita.email,
    createdAt: '2026-11-20T09:00:00.000Z',
    takenBy: null,
    waitingSince: '2026-11-20T09:00:00.000Z',
    decisions: [],
    appeals: [],
    revision: 1,
    ...changes,
  };
}

let reports: Report[];
let api: FakeApi;
beforeEach(async () => {
  reports = [buildReport()];
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/admin/reports': () => ({ reports, open: reports.length, nextCursor: null }),
    'POST /api/admin/reports/:id/decide': () => {
      reports = [];
      return { report: buildReport() };
    },
    'PUT /api/admin/reports/:id/taker': () => {
      reports = [buildReport({ takenBy: ada })];
      return { report: reports[0] };
    },
  });
});
afterEach(() => api.stop());

function open(query = '') {
  return renderApp(`/admin/reports${query}`, { api, user: admin });
}

describe('the reports of an admin', () => {
  it('shows what is reported, by whom, about whom and what was before', async () => {
    await open();

    const card = within(await screen.findByRole('listitem', { name: '' }));
    expect(card.getByRole('heading')).toHaveTextContent('R-1001: It looks like a scam');
    for (const text of [
      'Gift cards only.',
      tool.description,
      /has replaced is deleted after a week/,
    ])
      expect(card.getByText(text)).toBeInTheDocument();
    expect(card.getByRole('link', { name: '2 other reports' })).toHaveAttribute(
      'href',
      `/admin/reports?person=${author.id}`,
    );
    expect(card.getByRole('link', { name: tool.name })).toHaveAttribute(
      'href',
      `/rental-details?id=${tool.id}`,
    );
    expect(screen.getByText('1 to decide. The oldest first.')).toBeInTheDocument();
  });

  it('hides a tool with a saved text as the reasons', async () => {
    const { user } = await open();

    await user.click(await screen.findByRole('button', { name: 'Decide: R-1001' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.selectOptions(dialog.getByLabelText('Decision'), 'Hide it');
    await user.click(dialog.getByRole('button', { name: 'Decide and answer' }));
    expect(await dialog.findByText('Please enter the reasons')).toBeInTheDocument();
    await user.click(dialog.getByRole('checkbox', { name: 'Scam' }));
    await user.type(dialog.getByLabelText(/Reasons/), ' Really.');
    await user.click(dialog.getByRole('button', { name: 'Decide and answer' }));

    expect(await screen.findByText('No reports to decide')).toBeInTheDocument();
    const [call] = api.calls('POST /api/admin/reports/:id/decide');
    expect(call?.json).toEqual({
      decision: 'hide',
      reason: 'It shows the signs of a scam, which breaks our rules. Really.',
    });
    expect(call?.headers['if-match']).toBe('"1"');
  });

  it('keeps the reasons if another admin was faster', async () => {
    api.handlers['POST /api/admin/reports/:id/decide'] = () =>
      problem(412, 'EDITED_ELSEWHERE', 'This report was changed meanwhile.');
    const { user } = await open();

    await user.click(await screen.findByRole('button', { name: 'Decide: R-1001' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Reasons/), 'Mine.');
    await user.click(dialog.getByRole('button', { name: 'Decide and answer' }));

    expect(await dialog.findByText('This report was changed meanwhile.')).toBeInTheDocument();
    expect(dialog.getByLabelText(/Reasons/)).toHaveValue('Mine.');
  });

  it('shows who works on a report', async () => {
    const { user } = await open();

    await user.click(await screen.findByRole('button', { name: 'Take it: R-1001' }));

    expect(await screen.findByText('You work on it.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Stop working on it: R-1001' })).toBeInTheDocument();
  });

  it('shows the decisions of the reports about one person, which can be replaced', async () => {
    reports = [
      buildReport({
        waitingSince: null,
        decisions: [
          { decision: 'hide', reason: 'A scam.', by: ada, at: '2026-11-21T09:00:00.000Z' },
        ],
        appeals: [{ side: 'author', text: 'Wrong.', at: '2026-11-22T09:00:00.000Z' }],
      }),
    ];
    await open(`?person=${author.id}`);

    expect(await screen.findByText(/by Ada Lopez/)).toHaveTextContent(/^Hidden .*“A scam.”$/);
    expect(screen.getByText(/Appeal of the author/).parentElement).toHaveTextContent('Wrong.');
    expect(screen.getByRole('button', { name: 'Decide again: R-1001' })).toBeInTheDocument();
    expect(api.calls('GET /api/admin/reports')[0]?.query.get('authorId')).toBe(author.id);
  });
});
