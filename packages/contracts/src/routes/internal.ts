import * as accounts from '../api/accounts.ts';
import * as bookings from '../api/bookings.ts';
import { fields, id, message } from '../api/common.ts';
import * as internal from '../api/internal.ts';
import * as payments from '../api/payments.ts';
import * as receipts from '../api/receipts.ts';
import * as at from '../endpoints.ts';
import { routeOf, type ServiceName } from '../route.ts';
import { byId, byUser } from './common.ts';

const accountsRoute = routeOf('accounts');
const bookingsRoute = routeOf('bookings');
const catalogRoute = routeOf('catalog');
const messagingRoute = routeOf('messaging');
const notificationsRoute = routeOf('notifications');
const paymentsRoute = routeOf('payments');

/** A service's part of a data export. */
const partOfExport = (service: ServiceName) =>
  ({
    who: 'self',
    origin: 'ours',
    summary: `What ${service} stores of a user, for the download of their data`,
    params: byUser,
    status: 200,
    reply: internal.personalDataReply,
  }) as const;

/** Calls between services. Those with `who: 'service'` are made without a user; the others use a user's token. */
export const internalRoutes = {
  publicKeys: accountsRoute(at.publicKeys, {
    who: 'anyone',
    origin: 'ours',
    summary: 'The public keys that verify access tokens',
    status: 200,
    reply: internal.publicKeysReply,
  }),
  revocations: accountsRoute(at.revocations, {
    who: 'anyone',
    origin: 'ours',
    summary: 'Recently revoked sessions and users',
    status: 200,
    reply: internal.revocationsReply,
  }),
  checkPassword: accountsRoute(at.checkPassword, {
    who: 'self',
    origin: 'ours',
    summary: "Whether a password is the caller's current one",
    params: byUser,
    body: fields({ password: accounts.password }),
    bodyKb: 8,
    status: 200,
    reply: message,
    errors: ['PASSWORD_WRONG', 'USER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  checkout: bookingsRoute(at.checkout, {
    who: 'user',
    origin: 'ours',
    summary: "A hold's amount, before a payment of it is created",
    params: fields({ holdId: id }),
    status: 200,
    reply: bookings.checkoutReply,
    errors: ['HOLD_NOT_FOUND', 'HOLD_PAID', 'HOLD_EXPIRED', 'FORBIDDEN'],
  }),
  checkPaymentLimit: bookingsRoute(at.checkPaymentLimit, {
    who: 'self',
    origin: 'ours',
    summary: 'Whether a user may start another payment, before one without a hold is created',
    params: byUser,
    status: 200,
    reply: message,
    errors: ['TOO_MANY_REQUESTS'],
  }),
  openBookings: bookingsRoute(at.openBookings, {
    who: 'service',
    origin: 'ours',
    summary: 'Counts the bookings, purchases and problems that block the deletion of an account',
    params: byUser,
    status: 200,
    reply: internal.openBookingsReply,
  }),
  dataOfCatalog: catalogRoute(at.dataOfCatalog, partOfExport('catalog')),
  dataOfBookings: bookingsRoute(at.dataOfBookings, partOfExport('bookings')),
  dataOfPayments: paymentsRoute(at.dataOfPayments, partOfExport('payments')),
  dataOfMessaging: messagingRoute(at.dataOfMessaging, partOfExport('messaging')),
  dataOfNotifications: notificationsRoute(at.dataOfNotifications, partOfExport('notifications')),
  openMoney: paymentsRoute(at.openMoney, {
    who: 'service',
    origin: 'ours',
    summary:
      'Counts the refunds, disputes, earnings and debts that block the deletion of an account',
    params: byUser,
    status: 200,
    reply: internal.openMoneyReply,
  }),
  settleAuthorization: bookingsRoute(at.settleAuthorization, {
    who: 'service',
    origin: 'ours',
    summary: 'Report a card authorization; the reply is whether to keep, capture or release it',
    params: fields({ holdId: id }),
    body: internal.authorizationBody,
    status: 200,
    reply: internal.authorizationReply,
  }),
  reportedReview: bookingsRoute(at.reportedReview, {
    who: 'user',
    origin: 'ours',
    summary: 'A review that the caller reports',
    params: byId,
    status: 200,
    reply: internal.reportedContentReply,
    errors: ['REVIEW_NOT_FOUND'],
  }),
  reportedMessage: messagingRoute(at.reportedMessage, {
    who: 'party',
    origin: 'ours',
    summary: 'A message that the caller reports',
    params: byId,
    status: 200,
    reply: internal.reportedContentReply,
    errors: ['MESSAGE_NOT_FOUND'],
  }),
  refundsOfPayment: bookingsRoute(at.refundsOfPayment, {
    who: 'service',
    origin: 'ours',
    summary: 'The refunds owed from a payment',
    params: fields({ paymentId: id }),
    status: 200,
    reply: internal.refundsOfPaymentReply,
  }),
  ordersOfPayment: bookingsRoute(at.ordersOfPayment, {
    who: 'service',
    origin: 'ours',
    summary: "A payment's shares, one for each booking, and its refunds",
    params: fields({ paymentId: id }),
    status: 200,
    reply: internal.ordersOfPaymentReply,
  }),
  bookingsOfPayments: bookingsRoute(at.bookingsOfPayments, {
    who: 'admin',
    permission: 'money',
    audited: false,
    origin: 'ours',
    summary: 'The bookings of some payments, for an admin',
    query: internal.bookingsOfPaymentsQuery,
    status: 200,
    reply: internal.bookingsOfPaymentsReply,
  }),
  earnedBookings: bookingsRoute(at.earnedBookings, {
    who: 'service',
    origin: 'ours',
    summary: "Names and terms of owners' bookings, and what their money waits for",
    body: internal.earnedBookingsBody,
    bodyKb: 256,
    status: 200,
    reply: internal.earnedBookingsReply,
  }),
  refundsOwed: bookingsRoute(at.refundsOwed, {
    who: 'service',
    origin: 'ours',
    summary: 'Refunds owed, oldest first',
    query: internal.sinceQuery,
    status: 200,
    reply: internal.refundsOwedReply,
  }),
  receiptLines: bookingsRoute(at.receiptLines, {
    who: 'service',
    origin: 'ours',
    summary: 'What a payment paid for, as it was bought',
    params: fields({ paymentId: id }),
    status: 200,
    reply: receipts.receiptLinesReply,
    errors: ['PAYMENT_NOT_FOUND'],
  }),
  emailedReceipt: paymentsRoute(at.emailedReceipt, {
    who: 'service',
    origin: 'ours',
    summary: "A payment's receipt, or the credit note of a refund, as a PDF file",
    params: fields({ paymentId: id }),
    query: receipts.emailedReceiptQuery,
    status: 200,
    media: 'application/pdf',
    reply: receipts.pdf,
    errors: ['PAYMENT_NOT_FOUND'],
  }),
  userPayments: paymentsRoute(at.userPayments, {
    who: 'self',
    origin: 'ours',
    summary: "A user's succeeded payments, newest first",
    params: byUser,
    status: 200,
    reply: payments.userPaymentsReply,
  }),
  succeededPayments: paymentsRoute(at.succeededPayments, {
    who: 'service',
    origin: 'ours',
    summary:
      'Succeeded payments that may be booked or have changed at Stripe, ordered by their last change',
    query: internal.sinceQuery,
    status: 200,
    reply: internal.succeededPaymentsReply,
  }),
} as const;
