import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { may, type Role, type Route, type RouteName, routes } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import { admin, api, listTool, signUpFields } from '../src/people.ts';
import { line } from '../src/purchases.ts';
import {
  type Caller,
  callers,
  createWorld,
  limitedAdmins,
  pathFor,
  queryFor,
  type World,
} from '../src/world.ts';

/**
 * Calls every route as each kind of user. A caller without permission must not get a 2xx, and a permitted caller must
 * not be rejected as unauthorized, forbidden or invalid. The audit log must have one entry for each act of an admin.
 */
let world: World;
let freeToolId: string;
let boss: ReturnType<typeof admin>;
beforeAll(async () => {
  boss = admin();
  world = await createWorld();
  freeToolId = await listTool(world.people.owner, { quantity: 50 });
});

type Owner = Exclude<Caller, 'visitor'>;
const owners = callers.filter((caller) => caller !== 'visitor');

/** Has the form of an answer for both a login and a new passkey. */
const unknownPasskey = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: '', attestationObject: '', authenticatorData: '', signature: '' },
};

/** An invalid body could be rejected before the policy is checked, so all bodies are valid. */
const bodies: Partial<Record<RouteName, (caller: Caller, whose: Owner) => unknown>> = {
  createAccount: () => signUpFields(),
  // Logs in with the caller's password and another user's email.
  login: (caller, whose) => ({
    email: world.people[whose].email,
    password: caller === 'visitor' ? 'wrong-password' : world.people[caller].password,
  }),
  logout: () => ({ refreshToken: 'none' }),
  userRequestPasswordToken: (_, whose) => ({ email: world.people[whose].email }),
  requestPasswordToken: (_, whose) => ({ email: world.people[whose].email }),
  resetPassword: (_, whose) => ({
    token: 'none',
    newPassword: 'a-long-enough-one',
    userId: world.people[whose].id,
  }),
  confirmEmail: () => ({ token: 'none' }),
  undoEmailChange: () => ({ token: 'none' }),
  restoreEmail: () => ({ email: 'never-had@lendtools.test', reason: 'They asked.' }),
  removeSecondFactors: () => ({ reason: 'They asked.' }),
  secondFactorLogin: () => ({ challenge: 'none', code: '000000' }),
  confirmTotp: () => ({ code: '000000' }),
  reauthenticate: () => ({ password: 'not-the-password' }),
  passkeyLogin: () => ({ passkey: unknownPasskey }),
  addPasskey: () => ({ passkey: unknownPasskey }),
  renamePasskey: () => ({ name: 'Phone' }),
  updateAccount: () => ({ first_name: 'Robin' }),
  setUser: () => ({}),
  addReport: () => ({
    about: 'tool',
    id: world.toolId,
    reason: 'other',
    text: 'It looks odd.',
    email: 'visitor@lendtools.test',
  }),
  appealDecision: () => ({ token: 'none', text: 'I disagree.' }),
  takeReport: () => ({ taken: true }),
  decideReport: () => ({ decision: 'dismiss', reason: 'Nothing is wrong.' }),
  addRental: () => ({ name: 'Saw', description: 'Sharp.', price: 5, categoryId: world.categoryId }),
  updateRental: () => ({ price: 13 }),
  addCategory: () => ({ name: `Category ${randomUUID()}` }),
  updateCategory: () => ({}),
  holdCart: () => ({ lines: [line(freeToolId)] }),
  addRentalBooking: () => line(world.toolId, 0, 2, { booking_code: world.bookingCode }),
  updateBooking: () => ({ returned_status: 'null' }),
  cancelBooking: () => ({}),
  changeBooking: () => line(world.toolId, 0, 4),
  reportProblem: () => ({ text: 'It is broken.' }),
  settleProblem: () => ({ note: 'We have talked to both.' }),
  refundBooking: () => ({ amountCents: 1, reason: 'A cent for a test.' }),
  addReview: () => ({ rentalBooking_id: world.bookingId, rating: 5, comment: 'Good.' }),
  reviewRenter: () => ({ care: 5, punctuality: 5, communication: 5, comment: 'Good.' }),
  replyToReview: () => ({ text: 'Thank you.' }),
  createPaymentIntent: () => ({ amount: world.holdAmount, holdId: world.holdId }),
  confirmPayment: () => ({ paymentIntentId: world.paymentIntentId }),
  paymentWebhook: () => ({ id: 'evt_1', type: 'payment_intent.succeeded' }),
  connectWebhook: () => ({ id: 'evt_1', type: 'account.updated' }),
  holdPayouts: () => ({ isHeld: false }),
  writeOffDebt: () => ({ cents: 1, reason: 'A cent for a test.' }),
  sendMessage: () => ({ message: 'Hello' }),
  sendReply: () => ({ message: 'Hello' }),
  sendQuestion: () => ({ message: 'Hello' }),
  answerQuestion: () => ({ kind: 'decline', message: 'Sorry.' }),
  sendNotification: () => ({
    toolOwner_id: world.people.owner.id,
    bookingName: world.toolName,
  }),
  sendMessagingNotification: () => ({ userId: world.people.owner.id }),
  addNotification: () => ({ message: 'Your tool has just been booked' }),
  setPreferences: () => ({ emails: { payouts: true } }),
};

/** These public routes always fail here, because they need a secret from an email, a cookie, a passkey or Stripe. */
const needSecret = new Set<RouteName>([
  'refreshToken',
  'secondFactorLogin',
  'passkeyLogin',
  'resetPassword',
  'confirmEmail',
  'undoEmailChange',
  'appealDecision',
  'unsubscribe',
  'paymentWebhook',
  'connectWebhook',
]);

/** These callers may act on the entity that a route's id or body names. */
const partiesOf: Partial<Record<RouteName, Caller[]>> = {
  updateRental: ['owner', 'admin'],
  deleteTool: ['owner'],
  releaseHold: ['renter'],
  updateBooking: ['owner', 'admin'],
  undoReturn: ['owner', 'admin'],
  changePreview: ['renter'],
  changeBooking: ['renter'],
  reportProblem: ['owner', 'renter'],
  acceptApproval: ['owner'],
  undoAccept: ['owner'],
  declineApproval: ['owner', 'admin'],
  withdrawApproval: ['renter'],
  addReview: ['renter'],
  reviewRenter: ['owner'],
  createPaymentIntent: ['renter'],
  confirmPayment: ['renter'],
  receipt: ['renter'],
  receiptFile: ['renter'],
  sendReply: ['owner', 'renter', 'admin'],
  answerQuestion: ['owner'],
  getThread: ['owner', 'renter'],
  readNotice: ['owner'],
  sendNotification: ['renter'],
  sendMessagingNotification: ['owner', 'renter'],
  addNotification: ['renter'],
};

/** An admin may not decide about their own money. */
const notOnOneself = new Set<RouteName>(['holdPayouts', 'writeOffDebt']);

const adminRoles: Partial<Record<Caller, Role>> = {
  admin: 'Admin',
  support: 'Support',
  finance: 'Finance',
};
const roleOf = (caller: Caller): Role => adminRoles[caller] ?? 'User';

/** Whether the caller has the rights of an admin on a route. */
const isAdminOn = (name: RouteName, caller: Caller): boolean => {
  const { permission = 'administer' } = routes[name] as Route;
  return may(roleOf(caller), permission);
};

const isGranted = (name: RouteName, caller: Caller, whose: Owner): boolean => {
  const { who } = routes[name] as Route;
  if (needSecret.has(name)) return false;
  if (name === 'login') return caller === whose && caller !== 'disabled';
  if (who === 'anyone') return true;
  if (caller === 'visitor' || caller === 'disabled') return false;
  const isAdmin = isAdminOn(name, caller);
  const parties = partiesOf[name];
  const isTheirs = !parties || parties.includes(isAdmin ? 'admin' : caller);
  switch (who) {
    case 'user':
      return isTheirs;
    case 'service':
      return false;
    case 'admin':
      return isAdmin && !(notOnOneself.has(name) && caller === whose);
    case 'self':
      return caller === whose && isTheirs;
    case 'owner or admin':
      return (partiesOf[name] ? isTheirs : caller === whose) || isAdmin;
    case 'party':
      return caller === 'owner' || caller === 'renter';
    case 'party or admin':
      return caller === 'owner' || caller === 'renter' || isAdmin;
  }
};

/** These routes would remove entities that other calls need. The services' own tests cover these routes. */
const destructive = new Set<RouteName>([
  'deleteTool',
  'releaseHold',
  'cancelBooking',
  'changeBooking',
  'acceptApproval',
  'declineApproval',
  'withdrawApproval',
  'logout',
  'readAllNotices',
  'deleteCategory',
  'renewCalendarFeed',
  'endOtherSessions',
  'requestDeletion',
  'reauthenticate',
  // A second factor would keep the other calls' users from logging in.
  'confirmTotp',
  'stopCalendarFeed',
]);

const ask = (name: RouteName, caller: Caller, whose: Owner) => {
  const token = caller === 'visitor' ? undefined : world.people[caller].token;
  const verb = routes[name].method.toLowerCase() as 'get';
  const body = bodies[name]?.(caller, whose);
  return api()[verb](pathFor(world, name, whose) + queryFor(name), { token, body });
};

/** Whether the audit log records the call: the caller acts as an admin and not as the owner. */
const isRecorded = (name: RouteName, caller: Caller, whose: Owner): boolean => {
  const { who, permission, audited } = routes[name] as Route;
  if (!permission || audited === false || !isAdminOn(name, caller)) return false;
  const parties = partiesOf[name];
  // The only recorded public route is a tool's page: admins see the owner's address there.
  if (who === 'admin' || who === 'party or admin' || who === 'anyone') return true;
  if (who === 'owner or admin') return parties !== undefined || caller !== whose;
  return parties?.includes('admin') ?? false;
};

interface Verdict {
  isDone: boolean;
  fault?: string;
  /** The request of an act that the audit log must have. */
  recorded?: string;
}

const judge = async (name: RouteName, caller: Caller, whose: Owner): Promise<Verdict> => {
  const granted = isGranted(name, caller, whose);
  const takesAway = destructive.has(name) && caller !== 'visitor';
  if (granted && takesAway) return { isDone: true };
  const { status, body, headers } = await ask(name, caller, whose);
  const requested = `${caller} about ${whose}: ${status} ${body.code ?? ''}`;
  const isDone = status < 300;
  if (status >= 500) return { isDone, fault: `broke: ${requested}` };
  if (!granted && isDone) return { isDone, fault: `let in: ${requested}` };
  const keptOut = ['UNAUTHORIZED', 'FORBIDDEN', 'VALIDATION_FAILED'].includes(body.code);
  if (granted && keptOut) return { isDone, fault: `kept out: ${requested}` };
  const requestId = headers.get('x-request-id');
  return {
    isDone,
    ...(isDone && isRecorded(name, caller, whose) && { recorded: String(requestId) }),
  };
};

/** The requests of the latest entries about an action. */
const requestsOf = async (action: RouteName): Promise<(string | null)[]> => {
  const { token } = await boss;
  const { body } = await api().get(`/api/admin/audit-log?action=${action}`, { token });
  return body.entries.map(({ requestId }: { requestId: string | null }) => requestId);
};

/**
 * No caller succeeds with these routes: they need a secret, a passkey, a picture, a saved card, a debt, an inquiry, a stuck transfer, a completed booking or
 * a review that has appeared, or the thread is already open.
 */
const neverDone = new Set<RouteName>([
  ...needSecret,
  'endSession',
  'dataExport',
  'restoreEmail',
  'removeSecondFactors',
  'startPasskeyCheck',
  'addPasskey',
  'renamePasskey',
  'removePasskey',
  'removeTotp',
  'renewRecoveryCodes',
  'personImage',
  'toolImage',
  'sendMessage',
  'retryTransfer',
  'writeOffDebt',
  'waiveInquiry',
  'removeCard',
  'reviewRenter',
  'replyToReview',
]);

describe('the policy of each route', () => {
  it.each(Object.keys(routes) as RouteName[])(
    'lets only permitted callers use %s',
    async (name) => {
      const pairs = [
        ...callers.flatMap((caller) => owners.map((whose) => [caller, whose] as const)),
        ...limitedAdmins.flatMap((caller) =>
          (['owner', caller] as const).map((whose) => [caller, whose] as const),
        ),
      ];

      const verdicts = await Promise.all(
        pairs.map(([caller, whose]) => judge(name, caller, whose)),
      );

      expect(verdicts.flatMap(({ fault }) => fault ?? [])).toEqual([]);
      // At least one call must succeed: otherwise the rejections may have another cause than the policy.
      expect(verdicts.some(({ isDone }) => isDone)).toBe(!neverDone.has(name));
      const recorded = verdicts.flatMap(({ recorded }) => recorded ?? []);
      if (recorded.length === 0) return;
      const entries = await waitFor(`the entries of ${name}`, async () => {
        const found = await requestsOf(name);
        return recorded.every((request) => found.includes(request)) && found;
      });
      expect(entries.filter((request) => recorded.includes(String(request))).sort()).toEqual(
        recorded.sort(),
      );
    },
  );
});
