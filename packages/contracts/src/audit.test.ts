import { describe, expect, it } from '@jest/globals';
import { auditWords } from './audit-words.ts';
import { may, type Permission, type Role } from './permissions.ts';
import type { Route } from './route.ts';
import { internalRoutes, routes } from './routes.ts';

const all = Object.entries({ ...routes, ...internalRoutes }) as [string, Route][];

/** Actions without a route for admins. */
const others = [
  'logIn',
  'confirmLogin',
  'enteredPassword',
  'rejectedLogin',
  'makeAdmin',
  'removeSecondFactor',
];

describe('the audit log', () => {
  it('has words for each route that admins use as such, and for no other', () => {
    const recorded = all
      .filter(([, { permission, audited }]) => permission && audited !== false)
      .map(([name]) => name);

    expect(Object.keys(auditWords).sort()).toEqual([...recorded, ...others].sort());
  });

  it('leaves out only counts, and calls that a service makes for an admin', () => {
    const unrecorded = all.filter(([, { audited }]) => audited === false).map(([name]) => name);

    expect(unrecorded.sort()).toEqual([
      'accountStats',
      'adminPayouts',
      'bookingStats',
      'bookingsOfPayments',
      'catalogStats',
      'money',
      'workOfAccounts',
      'workOfBookings',
      'workOfCatalog',
      'workOfMessaging',
      'workOfNotifications',
      'workOfPayments',
    ]);
  });

  it.each(all.filter(([, { audited }]) => audited))(
    'names fields of the query and body: %s',
    (_, route) => {
      const { query, body, audited } = route;
      const names = (audited as string[]).map((name) => name.replace(/\?$/, ''));

      expect(Object.keys({ ...query?.shape, ...body?.shape })).toEqual(
        expect.arrayContaining(names),
      );
    },
  );

  it('records which part of a list was read, and contains no search text', () => {
    const others = ['limit', 'cursor', 'after', 'userId', 'authorId'];
    const missing = all
      .filter(([name]) => name in auditWords && name !== 'toolsOfUser')
      .flatMap(([name, { query, audited }]) =>
        Object.keys(query?.shape ?? {})
          .filter((field) => !others.includes(field))
          .map((field) => (['q', 'who', 'subject'].includes(field) ? `${field}?` : field))
          .filter((field) => !(audited || []).includes(field))
          .map((field) => `${name}: ${field}`),
      );

    expect(missing).toEqual([]);
  });
});

describe('the permissions of roles', () => {
  it.each<[Role, Permission[]]>([
    ['User', []],
    ['Support', ['read', 'moderate']],
    ['Finance', ['read', 'money']],
    ['Admin', ['read', 'moderate', 'money', 'administer']],
  ])('are those of ADR 24: %s', (role, permissions) => {
    const known = ['read', 'moderate', 'money', 'administer'] as const;

    expect(known.filter((permission) => may(role, permission))).toEqual(permissions);
  });

  it('keep refunds, payouts and exports of money from support, and messages and decisions from finance', () => {
    const namesFor = (role: Role) =>
      all.flatMap(([name, { permission }]) => (permission && may(role, permission) ? name : []));

    const money = ['refundBooking', 'cancelBooking', 'holdPayouts', 'writeOffDebt', 'ledgerCsv'];
    const moderation = ['decideReport', 'settleProblem', 'myMessages', 'myReplies', 'sendReply'];
    expect(money.filter((name) => namesFor('Support').includes(name))).toEqual([]);
    expect(moderation.filter((name) => namesFor('Finance').includes(name))).toEqual([]);
  });
});
