// biome-ignore-all format: a table is read by its columns, a call in a few lines.
import { z } from 'zod';
import * as accounts from './api/accounts.ts';
import * as bookings from './api/bookings.ts';
import * as catalog from './api/catalog.ts';
import { bounded, fields, id, message } from './api/common.ts';
import * as internal from './api/internal.ts';
import * as messaging from './api/messaging.ts';
import * as notifications from './api/notifications.ts';
import * as payments from './api/payments.ts';
import * as problems from './api/problems.ts';
import * as at from './endpoints.ts';
import { route } from './route.ts';

const byId = fields({ id });
const byUser = fields({ userId: id });
const byUserAndId = fields({ userId: id, id });
const noPicture = 'This is not the name of a picture';
const imageName = fields({
  name: bounded(42, noPicture).regex(/^[a-f0-9]{32}-(320|640|1280)\.webp$/, noPicture),
});
const image = z.string().meta({ format: 'binary', description: 'A WebP picture' });
const calendar = z.string().meta({ description: 'Events in RFC 5545 format' });

/** Rejections that follow from an owner's terms. */
const termsErrors = ['DATES_BLOCKED', 'DATES_CLOSED', 'DATES_TOO_SOON', 'PERIOD_TOO_SHORT', 'PERIOD_TOO_LONG'] as const;
const changeErrors = ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE', 'BOOKING_STARTED', 'CHANGE_ASKED', 'TOOL_ALREADY_BOOKED', ...termsErrors, 'TOOL_UNAVAILABLE', 'PERIOD_INVALID', 'AMOUNT_INVALID'] as const;
/** The largest body of a tool: 100 blocked ranges fit, with notes in which every character is escaped. */
const toolBodyKb = 128;

/** The whole API: every call, its authorization and the service that owns it. */
export const routes = {
  // Accounts and sessions
  createAccount: route(at.createAccount, {
    service: 'accounts', who: 'anyone', origin: 'documented',
    summary: 'Sign up', body: accounts.createAccountBody, images: ['image'], idempotent: true,
    status: 201, reply: accounts.createAccountReply,
    errors: [
      'EMAIL_TAKEN', 'PASSWORD_TOO_COMMON', 'PLACE_UNKNOWN', 'ZIP_UNKNOWN', 'PLACE_TOO_FAR', 'IMAGE_REFUSED', 'TOO_MANY_REQUESTS',
    ],
  }),
  login: route(at.login, {
    service: 'accounts', who: 'anyone', origin: 'documented',
    summary: 'Log in', body: accounts.loginBody, bodyKb: 8, status: 200, reply: accounts.loginReply,
    errors: ['LOGIN_FAILED', 'ACCOUNT_DISABLED', 'CROSS_SITE', 'TOO_MANY_REQUESTS'],
  }),
  logout: route(at.logout, {
    service: 'accounts', who: 'anyone', origin: 'documented',
    summary: 'Log out the session of the cookie, the Bearer token or the given refresh token',
    body: accounts.logoutBody, bodyKb: 8, status: 200, reply: message, errors: ['CROSS_SITE'],
  }),
  refreshToken: route(at.refreshToken, {
    service: 'accounts', who: 'anyone', origin: 'ours',
    summary: 'Get a new access token for the refresh cookie or the refresh token in the body',
    body: accounts.refreshTokenBody, bodyKb: 8, status: 200, reply: accounts.loginReply,
    errors: ['SESSION_ENDED', 'ACCOUNT_DISABLED', 'CROSS_SITE', 'TOO_MANY_REQUESTS'],
  }),
  getUserByEmail: route(at.getUserByEmail, {
    service: 'accounts', who: 'owner or admin',
    origin: 'documented', summary: 'One\'s own account', params: accounts.emailParams,
    status: 200, reply: accounts.userReply, errors: ['FORBIDDEN', 'USER_NOT_FOUND'],
  }),
  updateAccount: route(at.updateAccount, {
    service: 'accounts', who: 'self', origin: 'documented',
    summary: 'Change one\'s profile', params: byUser, body: accounts.updateAccountBody, images: ['image'],
    ifMatch: true, status: 200, reply: accounts.updateAccountReply,
    errors: [
      'USER_NOT_FOUND', 'EMAIL_TAKEN', 'PASSWORD_WRONG', 'PLACE_UNKNOWN', 'ZIP_UNKNOWN', 'PLACE_TOO_FAR', 'IMAGE_REFUSED',
      'TOO_MANY_REQUESTS',
    ],
  }),
  userRequestPasswordToken: route(at.userRequestPasswordToken, {
    service: 'accounts', who: 'anyone',
    origin: 'documented', summary: 'Mail a link to reset the password', body: accounts.emailBody, bodyKb: 8,
    status: 200, reply: message, errors: ['CROSS_SITE', 'TOO_MANY_REQUESTS'],
  }),
  requestPasswordToken: route(at.requestPasswordToken, {
    service: 'accounts', who: 'anyone',
    origin: 'documented', summary: 'Mail a link to reset the password', body: accounts.emailBody, bodyKb: 8,
    status: 200, reply: message, errors: ['CROSS_SITE', 'TOO_MANY_REQUESTS'],
  }),
  resetPassword: route(at.resetPassword, {
    service: 'accounts', who: 'anyone', origin: 'documented',
    summary: 'Set a new password with an emailed token, or when signed in with the current password',
    body: accounts.resetPasswordBody, bodyKb: 8, status: 200, reply: message,
    errors: ['UNAUTHORIZED', 'RESET_TOKEN_INVALID', 'PASSWORD_WRONG', 'PASSWORD_TOO_COMMON', 'CROSS_SITE', 'TOO_MANY_REQUESTS'],
  }),
  confirmEmail: route(at.confirmEmail, {
    service: 'accounts', who: 'anyone', origin: 'ours',
    summary: 'Confirm a new email, or verify the account\'s email, with an emailed token', body: accounts.confirmEmailBody, bodyKb: 8,
    status: 200, reply: message, errors: ['EMAIL_TOKEN_INVALID', 'EMAIL_TAKEN', 'CROSS_SITE'],
  }),
  sendVerification: route(at.sendVerification, {
    service: 'accounts', who: 'self', origin: 'ours',
    summary: 'Email the verification link again', params: byUser,
    status: 200, reply: message, errors: ['USER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  allUsers: route(at.allUsers, {
    service: 'accounts', who: 'admin', origin: 'documented',
    summary: 'All users, newest first', query: accounts.usersQuery, status: 200, reply: accounts.usersReply,
  }),
  getUser: route(at.getUser, {
    service: 'accounts', who: 'admin', origin: 'ours',
    summary: 'One user', params: byUser, status: 200, reply: accounts.userReply, errors: ['USER_NOT_FOUND'],
  }),
  setUser: route(at.setUser, {
    service: 'accounts', who: 'admin', origin: 'ours',
    summary: 'Change a user\'s role or disable them', params: byUser, body: accounts.setUserBody,
    status: 200, reply: accounts.userReply, errors: ['USER_NOT_FOUND', 'USER_LAST_ADMIN'],
  }),
  accountStats: route(at.accountStats, {
    service: 'accounts', who: 'admin', origin: 'ours',
    summary: 'Users and sign-ups per day', query: accounts.daysQuery, status: 200, reply: accounts.accountStatsReply,
  }),
  states: route(at.states, {
    service: 'accounts', who: 'anyone', origin: 'ours',
    summary: 'The US states', status: 200, reply: accounts.statesReply,
  }),
  cities: route(at.cities, {
    service: 'accounts', who: 'anyone', origin: 'ours',
    summary: 'A state\'s cities', params: accounts.stateParams, status: 200, reply: accounts.citiesReply,
    errors: ['STATE_UNKNOWN'],
  }),
  zip: route(at.zip, {
    service: 'accounts', who: 'anyone', origin: 'ours',
    summary: 'The location of a ZIP code, to about half a mile', params: accounts.zipParams, status: 200,
    reply: accounts.zipReply, errors: ['ZIP_UNKNOWN'],
  }),
  personImage: route(at.personImage, {
    service: 'accounts', who: 'anyone', origin: 'ours',
    summary: 'A person\'s picture', params: imageName, status: 200, media: 'image/webp', reply: image,
    errors: ['IMAGE_NOT_FOUND'],
  }),

  // Tools and categories
  allRentals: route(at.allRentals, {
    service: 'catalog', who: 'anyone', origin: 'documented',
    summary: 'Available tools, searched by words, category, price and place', query: catalog.rentalsQuery,
    status: 200, reply: catalog.rentalsReply,
    errors: ['PLACE_MISSING'],
  }),
  rentalsOfCategory: route(at.rentalsOfCategory, {
    service: 'catalog', who: 'anyone',
    origin: 'documented', summary: 'Available tools of a category', params: fields({ categoryId: id }),
    query: catalog.rentalsQuery, status: 200, reply: catalog.rentalsReply,
    errors: ['PLACE_MISSING'],
  }),
  toolsNearYou: route(at.toolsNearYou, {
    service: 'catalog', who: 'anyone', origin: 'documented',
    summary: 'Available tools within miles of a place, nearest first; with words, best match first',
    query: catalog.nearQuery,
    status: 200, reply: catalog.nearReply,
  }),
  getTool: route(at.getTool, {
    service: 'catalog', who: 'anyone', origin: 'documented',
    summary: 'One tool', params: byId, status: 200, reply: catalog.toolReply, errors: ['TOOL_NOT_FOUND'],
  }),
  myRentals: route(at.myRentals, {
    service: 'catalog', who: 'self',
    origin: 'documented', summary: 'One\'s own tools', params: byUser, query: catalog.rentalsQuery,
    status: 200, reply: catalog.rentalsReply,
    errors: ['PLACE_MISSING'],
  }),
  toolsOfUser: route(at.toolsOfUser, {
    service: 'catalog', who: 'admin', origin: 'ours',
    summary: 'A user\'s tools, on offer or not', params: byUser, query: catalog.rentalsQuery,
    status: 200, reply: catalog.rentalsReply, errors: ['PLACE_MISSING'],
  }),
  savedTools: route(at.savedTools, {
    service: 'catalog', who: 'self', origin: 'ours',
    summary: 'The caller\'s saved tools, including unavailable ones, newest first', params: byUser,
    status: 200, reply: catalog.savedToolsReply,
  }),
  savedToolIds: route(at.savedToolIds, {
    service: 'catalog', who: 'self', origin: 'ours',
    summary: 'The ids of the caller\'s saved tools', params: byUser, status: 200, reply: catalog.savedToolIdsReply,
  }),
  saveTool: route(at.saveTool, {
    service: 'catalog', who: 'self', origin: 'ours',
    summary: 'Save a tool', params: byUserAndId, status: 200, reply: message,
    errors: ['TOOL_NOT_FOUND', 'TOO_MANY_SAVED_TOOLS', 'TOO_MANY_REQUESTS'],
  }),
  unsaveTool: route(at.unsaveTool, {
    service: 'catalog', who: 'self', origin: 'ours',
    summary: 'Remove a tool from the saved ones', params: byUserAndId, status: 200, reply: message,
    errors: ['TOO_MANY_REQUESTS'],
  }),
  addRental: route(at.addRental, {
    service: 'catalog', who: 'self', origin: 'documented',
    summary: 'List a tool', params: byUser, body: catalog.addRentalBody, bodyKb: toolBodyKb, images: catalog.toolImages,
    idempotent: true, status: 201, reply: catalog.toolSavedReply,
    errors: ['CATEGORY_NOT_FOUND', 'IMAGE_REFUSED', 'OWNER_UNKNOWN', 'PLACE_TOO_FAR', 'TOO_MANY_TOOLS', 'EMAIL_NOT_VERIFIED'],
  }),
  updateRental: route(at.updateRental, {
    service: 'catalog', who: 'user', origin: 'documented',
    summary: 'Change or re-list a tool, as its owner or an admin; an update by anyone else that changes nothing returns the tool as it is', params: byId, body: catalog.updateRentalBody, bodyKb: toolBodyKb,
    images: catalog.toolImages, ifMatch: true, status: 200, reply: catalog.toolSavedReply,
    errors: [
      'FORBIDDEN', 'TOOL_NOT_FOUND', 'CATEGORY_NOT_FOUND', 'IMAGE_REFUSED', 'PLACE_TOO_FAR', 'TOO_MANY_REQUESTS',
    ],
  }),
  deleteTool: route(at.deleteTool, {
    service: 'catalog', who: 'owner or admin',
    origin: 'documented', summary: 'Delete a tool', params: byId, status: 200, reply: message,
    errors: ['FORBIDDEN', 'TOOL_NOT_FOUND', 'TOOL_HAS_BOOKINGS'],
  }),
  allCategories: route(at.allCategories, {
    service: 'catalog', who: 'anyone', origin: 'documented',
    summary: 'The categories, ordered by name', status: 200, reply: catalog.categoriesReply,
  }),
  addCategory: route(at.addCategory, {
    service: 'catalog', who: 'admin', origin: 'documented',
    summary: 'Add a category', body: catalog.categoryBody, images: ['image'], idempotent: true,
    status: 201, reply: catalog.categorySavedReply, errors: ['CATEGORY_EXISTS', 'IMAGE_REFUSED'],
  }),
  updateCategory: route(at.updateCategory, {
    service: 'catalog', who: 'admin', origin: 'documented',
    summary: 'Change a category', params: byId, body: catalog.categoryBody.partial(), images: ['image'],
    status: 200, reply: catalog.categorySavedReply, errors: ['CATEGORY_NOT_FOUND', 'CATEGORY_EXISTS', 'IMAGE_REFUSED'],
  }),
  deleteCategory: route(at.deleteCategory, {
    service: 'catalog', who: 'admin',
    origin: 'documented', summary: 'Remove a category that no tool uses', params: byId, status: 200,
    reply: message, errors: ['CATEGORY_NOT_FOUND', 'CATEGORY_IN_USE'],
  }),
  catalogStats: route(at.catalogStats, {
    service: 'catalog', who: 'admin', origin: 'ours',
    summary: 'Tools and listings per day', query: accounts.daysQuery, status: 200, reply: catalog.catalogStatsReply,
  }),
  toolImage: route(at.toolImage, {
    service: 'catalog', who: 'anyone', origin: 'ours',
    summary: 'A tool\'s or category\'s picture', params: imageName, status: 200, media: 'image/webp', reply: image,
    errors: ['IMAGE_NOT_FOUND'],
  }),

  // Holds, bookings and reviews
  holdCart: route(at.holdCart, {
    service: 'bookings', who: 'self', origin: 'ours',
    summary: 'Price the cart and hold its dates for 15 minutes', params: byUser, body: bookings.holdBody,
    idempotent: true, status: 201, reply: bookings.holdReply,
    errors: ['TOOL_ALREADY_BOOKED', 'TOOL_ON_REQUEST', ...termsErrors, 'TOOL_UNAVAILABLE', 'TOOL_NOT_FOUND', 'TOOL_IS_YOURS', 'PERIOD_INVALID', 'AMOUNT_INVALID', 'TOO_MANY_HOLDS', 'CART_TOO_LARGE', 'EMAIL_NOT_VERIFIED'],
  }),
  releaseHold: route(at.releaseHold, {
    service: 'bookings', who: 'self',
    origin: 'ours', summary: 'Release a hold', params: bookings.holdParams, status: 200, reply: message,
    errors: ['HOLD_NOT_FOUND', 'HOLD_PAID'],
  }),
  addRentalBooking: route(at.addRentalBooking, {
    service: 'bookings', who: 'self',
    origin: 'documented', summary: 'Get the booking of a paid line, creating it if necessary',
    params: byUser, body: bookings.addRentalBookingBody, idempotent: true, status: 201, reply: bookings.rentalReply,
    errors: ['PAYMENT_REQUIRED', 'TOOL_ALREADY_BOOKED', 'TOOL_ON_REQUEST', ...termsErrors, 'TOOL_UNAVAILABLE', 'TOOL_NOT_FOUND', 'TOOL_IS_YOURS', 'PERIOD_INVALID', 'EMAIL_NOT_VERIFIED'],
  }),
  updateBooking: route(at.updateBooking, {
    service: 'bookings',
    who: 'self', origin: 'documented', summary: 'Confirm the return of a tool, as its owner or an admin',
    params: byUserAndId, body: bookings.updateBookingBody, status: 200, reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE', 'BOOKING_NOT_STARTED'],
  }),
  undoReturn: route(at.undoReturn, {
    service: 'bookings',
    who: 'self', origin: 'ours', summary: 'Undo a confirmed return within a minute, unless something followed it',
    params: byUserAndId, body: fields({}), status: 200, reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE', 'RETURN_NOT_UNDONE'],
  }),
  cancelBooking: route(at.cancelBooking, {
    service: 'bookings',
    who: 'self', origin: 'ours', summary: 'Cancel a paid booking and refund it according to its policy', params: byUserAndId,
    body: bookings.cancelBookingBody, status: 200, reply: bookings.cancelBookingReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE', 'BOOKING_STARTED', 'BOOKING_REVIEWED', 'REFUND_CHANGED'],
  }),
  cancelPreview: route(at.cancelPreview, {
    service: 'bookings', who: 'party or admin',
    origin: 'ours', summary: 'The refund if the caller cancelled now', params: byId,
    status: 200, reply: bookings.cancelPreviewReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE', 'BOOKING_STARTED', 'BOOKING_REVIEWED'],
  }),
  changePreview: route(at.changePreview, {
    service: 'bookings', who: 'self', origin: 'ours',
    summary: 'The cost or refund of other dates or another quantity of a booking', params: byUserAndId,
    query: bookings.changeQuery, status: 200, reply: bookings.changePreviewReply,
    errors: [...changeErrors, 'TOO_MANY_REQUESTS'],
  }),
  changeBooking: route(at.changeBooking, {
    service: 'bookings', who: 'self', origin: 'ours',
    summary: 'Change the dates or the quantity of a booking: immediately or, if it then costs more, once the difference is paid', params: byUserAndId,
    body: bookings.changeBookingBody, status: 200, reply: bookings.changeBookingReply,
    errors: [...changeErrors, 'CHANGE_PRICED_ANEW', 'TOO_MANY_HOLDS', 'CART_TOO_LARGE', 'TOO_MANY_REQUESTS'],
  }),
  acceptChange: route(at.acceptChange, {
    service: 'bookings', who: 'self', origin: 'ours', summary: 'Accept a change, as the owner: it applies immediately or, if it costs more, once the card is charged',
    params: byUserAndId, body: bookings.answerChangeBody, status: 200, reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE'],
  }),
  declineChange: route(at.declineChange, {
    service: 'bookings', who: 'self', origin: 'ours', summary: 'Decline a change, as the owner or an admin; the booking stays unchanged',
    params: byUserAndId, body: bookings.declineChangeBody, status: 200, reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE'],
  }),
  withdrawChange: route(at.withdrawChange, {
    service: 'bookings', who: 'self', origin: 'ours', summary: 'Withdraw a change that is not accepted yet, as the renter',
    params: byUserAndId, body: bookings.answerChangeBody, status: 200, reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE'],
  }),
  acceptRequest: route(at.acceptRequest, {
    service: 'bookings', who: 'self', origin: 'ours', summary: 'Accept a request, as the owner; the card is charged',
    params: byUserAndId, body: fields({}), status: 200, reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE'],
  }),
  declineRequest: route(at.declineRequest, {
    service: 'bookings', who: 'self', origin: 'ours', summary: 'Decline a request, as the owner or an admin',
    params: byUserAndId, body: bookings.declineRequestBody, status: 200, reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE'],
  }),
  withdrawRequest: route(at.withdrawRequest, {
    service: 'bookings', who: 'self', origin: 'ours', summary: 'Withdraw a request that is not accepted yet, as the renter',
    params: byUserAndId, body: fields({}), status: 200, reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE'],
  }),
  refundBooking: route(at.refundBooking, {
    service: 'bookings', who: 'admin', origin: 'ours',
    summary: 'Refund all or part of the remainder of a booking\'s payment', params: byId,
    body: bookings.refundBookingBody, idempotent: true, status: 201, reply: bookings.refundBookingReply,
    errors: ['BOOKING_NOT_FOUND', 'REFUND_TOO_LARGE'],
  }),
  reportProblem: route(at.reportProblem, {
    service: 'bookings', who: 'self', origin: 'ours',
    summary: 'Report a problem with a rental that has begun; admins settle it', params: byUserAndId,
    body: problems.reportProblemBody, status: 201, reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE', 'BOOKING_NOT_STARTED', 'PROBLEM_REPORTED'],
  }),
  allProblems: route(at.allProblems, {
    service: 'bookings', who: 'admin', origin: 'ours',
    summary: 'Open problems, oldest first, or settled ones, newest first', query: problems.problemsQuery,
    status: 200, reply: problems.problemsReply,
  }),
  settleProblem: route(at.settleProblem, {
    service: 'bookings', who: 'admin', origin: 'ours',
    summary: 'Settle a problem, with a note to both parties', params: byId, body: problems.settleProblemBody,
    status: 200, reply: problems.problemReply, errors: ['PROBLEM_NOT_FOUND', 'PROBLEM_SETTLED'],
  }),
  ownerBookings: route(at.ownerBookings, {
    service: 'bookings', who: 'user', origin: 'documented',
    summary: 'Bookings of one\'s own tools, newest first', query: bookings.bookingsQuery,
    status: 200, reply: bookings.bookingsReply,
  }),
  renterBookings: route(at.renterBookings, {
    service: 'bookings', who: 'self',
    origin: 'documented', summary: 'The caller\'s bookings as renter, newest first', params: byUser,
    query: bookings.bookingsQuery, status: 200, reply: bookings.bookingsReply,
  }),
  earnings: route(at.earnings, {
    service: 'bookings', who: 'self', origin: 'ours',
    summary: 'Earnings of each of the caller\'s tools, net of refunds', params: byUser,
    status: 200, reply: bookings.earningsReply,
  }),
  calendarFeed: route(at.calendarFeed, {
    service: 'bookings', who: 'self', origin: 'ours',
    summary: "When the caller's calendar feed was created", params: byUser,
    status: 200, reply: bookings.calendarFeedReply,
  }),
  renewCalendarFeed: route(at.renewCalendarFeed, {
    service: 'bookings', who: 'self', origin: 'ours',
    summary: "Create a secret calendar address, with the current password; the previous address stops working",
    params: byUser, body: bookings.calendarFeedBody, bodyKb: 8, status: 201, reply: bookings.calendarAddressReply,
    errors: ['PASSWORD_WRONG', 'USER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  stopCalendarFeed: route(at.stopCalendarFeed, {
    service: 'bookings', who: 'self', origin: 'ours',
    summary: "Revoke the caller's calendar address", params: byUser, status: 200, reply: message,
  }),
  readCalendarFeed: route(at.readCalendarFeed, {
    service: 'bookings', who: 'anyone', origin: 'ours',
    summary: 'A user\'s bookings as an iCalendar file; the secret address is the credential', params: bookings.calendarParams,
    status: 200, media: 'text/calendar', reply: calendar, errors: ['CALENDAR_NOT_FOUND'],
  }),
  getBooking: route(at.getBooking, {
    service: 'bookings', who: 'party or admin',
    origin: 'ours', summary: 'One booking', params: byId, status: 200, reply: bookings.bookingReply,
    errors: ['BOOKING_NOT_FOUND'],
  }),
  allBookings: route(at.allBookings, {
    service: 'bookings', who: 'admin', origin: 'documented',
    summary: 'All bookings, newest first', query: bookings.allBookingsQuery, status: 200, reply: bookings.allBookingsReply,
  }),
  getReviews: route(at.getReviews, {
    service: 'bookings', who: 'anyone', origin: 'documented',
    summary: 'Reviews, newest first, of a tool or a booking', query: bookings.reviewsQuery,
    status: 200, reply: bookings.reviewsReply,
  }),
  toolAvailability: route(at.toolAvailability, {
    service: 'bookings', who: 'anyone', origin: 'ours',
    summary: "A tool's calendar for up to 92 days: free units, and why others are taken; the caller's own unpaid holds count as free",
    params: byId, query: bookings.availabilityQuery, status: 200, reply: bookings.availabilityReply,
    errors: ['TOOL_NOT_FOUND'],
  }),
  toolOwner: route(at.toolOwner, {
    service: 'bookings', who: 'anyone', origin: 'ours',
    summary: "A tool's owner, with the rating of all of the owner's tools", params: byId,
    status: 200, reply: bookings.ownerReply, errors: ['TOOL_NOT_FOUND'],
  }),
  addReview: route(at.addReview, {
    service: 'bookings', who: 'self',
    origin: 'documented', summary: 'Review a booking, or change the review', params: byUser,
    body: bookings.addReviewBody, status: 201, reply: bookings.addReviewReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_STARTED', 'BOOKING_NOT_ACTIVE', 'TOO_MANY_REQUESTS'],
  }),
  bookingStats: route(at.bookingStats, {
    service: 'bookings', who: 'admin', origin: 'ours',
    summary: 'Bookings and revenue per day', query: accounts.daysQuery, status: 200, reply: bookings.bookingStatsReply,
  }),

  // Payments
  createPaymentIntent: route(at.createPaymentIntent, {
    service: 'payments', who: 'user',
    origin: 'documented', summary: 'Start paying a hold', body: payments.createPaymentIntentBody, idempotent: true,
    status: 201, reply: payments.createPaymentIntentReply,
    errors: [
      'FORBIDDEN', 'PRICE_CHANGED', 'TOO_MANY_PAYMENTS', 'PAYMENT_DECLINED', 'HOLD_NOT_FOUND',
      'HOLD_PAID', 'HOLD_EXPIRED', 'PROVIDER_UNAVAILABLE',
    ],
  }),
  confirmPayment: route(at.confirmPayment, {
    service: 'payments', who: 'owner or admin',
    origin: 'documented', summary: 'Refresh a payment\'s status from Stripe', params: fields({ paymentId: id }),
    body: payments.confirmPaymentBody, status: 200, reply: payments.confirmPaymentReply,
    errors: [
      'PAYMENT_NOT_FOUND', 'PAYMENT_INTENT_MISMATCH', 'PAYMENT_NOT_SUCCEEDED', 'PAYMENT_DECLINED', 'PROVIDER_UNAVAILABLE',
    ],
  }),
  paymentWebhook: route(at.paymentWebhook, {
    service: 'payments', who: 'anyone', origin: 'documented',
    summary: 'Receive a signed event from Stripe', raw: true, status: 200, reply: payments.webhookReply,
    errors: ['WEBHOOK_SIGNATURE_INVALID', 'PROVIDER_UNAVAILABLE'],
  }),
  paymentConfig: route(at.paymentConfig, {
    service: 'payments', who: 'anyone', origin: 'ours',
    summary: 'Settings for the card form', status: 200, reply: payments.paymentConfigReply,
  }),
  disputes: route(at.disputes, {
    service: 'payments', who: 'admin', origin: 'ours',
    summary: 'Disputed payments, with the deadline for evidence', query: payments.disputesQuery,
    status: 200, reply: payments.disputesReply,
  }),
  fraudWarnings: route(at.fraudWarnings, {
    service: 'payments', who: 'admin', origin: 'ours',
    summary: 'Payments that a card issuer suspects of fraud', query: payments.disputesQuery,
    status: 200, reply: payments.fraudWarningsReply,
  }),

  // Threads
  myMessages: route(at.myMessages, {
    service: 'messaging',
    who: 'party or admin', origin: 'documented', summary: 'The first message of a booking\'s thread, if any',
    params: messaging.bookingParams, status: 200, reply: messaging.messagingReply, errors: ['THREAD_NOT_FOUND'],
  }),
  sendMessage: route(at.sendMessage, {
    service: 'messaging', who: 'party',
    origin: 'documented', summary: 'Open the thread with its first message', params: messaging.bookingParams, body: messaging.messageBody,
    idempotent: true, status: 201, reply: messaging.messageSentReply, errors: ['THREAD_NOT_FOUND', 'THREAD_ALREADY_OPEN'],
  }),
  myReplies: route(at.myReplies, {
    service: 'messaging', who: 'party or admin',
    origin: 'documented', summary: 'The replies to a message, oldest first', params: messaging.messageParams,
    query: messaging.repliesQuery, status: 200, reply: messaging.repliesReply, errors: ['MESSAGE_NOT_FOUND'],
  }),
  sendReply: route(at.sendReply, {
    service: 'messaging',
    who: 'self', origin: 'documented', summary: 'Reply in a thread, as a party of it or as an admin', params: messaging.userMessageParams,
    body: messaging.messageBody, idempotent: true, status: 201, reply: messaging.replySentReply,
    errors: ['MESSAGE_NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),

  // Notices
  myNotices: route(at.myNotices, {
    service: 'notifications', who: 'self',
    origin: 'ours', summary: 'One\'s notices, newest first', params: byUser,
    query: notifications.noticesQuery, status: 200, reply: notifications.noticesReply,
  }),
  readNotice: route(at.readNotice, {
    service: 'notifications', who: 'self',
    origin: 'ours', summary: 'Mark a notice read', params: notifications.noticeParams,
    status: 200, reply: notifications.noticeReply, errors: ['NOTICE_NOT_FOUND'],
  }),
  readAllNotices: route(at.readAllNotices, {
    service: 'notifications', who: 'self',
    origin: 'ours', summary: 'Mark all notices read, or those of one booking', params: byUser,
    query: notifications.readAllQuery, status: 200, reply: notifications.unreadReply,
  }),
  sendNotification: route(at.sendNotification, {
    service: 'notifications', who: 'user', origin: 'documented',
    summary: 'The notices created for the tool\'s owner by a booking', body: notifications.sendNotificationBody,
    status: 200, reply: notifications.notificationSentReply, errors: ['BOOKING_NOT_FOUND'],
  }),
  sendMessagingNotification: route(at.sendMessagingNotification, {
    service: 'notifications', who: 'user',
    origin: 'documented', summary: 'The notices created for the other party by the caller\'s messages',
    body: notifications.sendMessagingNotificationBody, status: 200, reply: notifications.notificationSentReply,
    errors: ['BOOKING_NOT_FOUND'],
  }),
  addNotification: route(at.addNotification, {
    service: 'notifications',
    who: 'user', origin: 'documented', summary: 'The notices created for the owner by the caller\'s booking',
    params: fields({ ownerId: id }), body: notifications.addNotificationBody, status: 200,
    reply: notifications.notificationSentReply, errors: ['BOOKING_NOT_FOUND'],
  }),
} as const;

/** Calls between services: with `who: 'service'` on a service's own behalf, otherwise with the user's token. */
export const internalRoutes = {
  publicKeys: route(at.publicKeys, {
    service: 'accounts', who: 'anyone', origin: 'ours', summary: 'The public keys that verify access tokens',
    status: 200, reply: internal.publicKeysReply,
  }),
  revocations: route(at.revocations, {
    service: 'accounts', who: 'anyone', origin: 'ours', summary: 'Recently revoked sessions and users',
    status: 200, reply: internal.revocationsReply,
  }),
  checkPassword: route(at.checkPassword, {
    service: 'accounts', who: 'self', origin: 'ours', summary: "Whether a password is the caller's current one",
    params: byUser, body: fields({ password: accounts.password }), bodyKb: 8, status: 200, reply: message,
    errors: ['PASSWORD_WRONG', 'USER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  checkout: route(at.checkout, {
    service: 'bookings', who: 'user', origin: 'ours', summary: "A hold's amount, before a payment of it is created",
    params: fields({ holdId: id }), status: 200, reply: bookings.checkoutReply,
    errors: ['HOLD_NOT_FOUND', 'HOLD_PAID', 'HOLD_EXPIRED', 'FORBIDDEN'],
  }),
  checkPaymentLimit: route(at.checkPaymentLimit, {
    service: 'bookings', who: 'self', origin: 'ours', summary: 'Whether a user may start another payment, before one without a hold is created',
    params: byUser, status: 200, reply: message, errors: ['TOO_MANY_REQUESTS'],
  }),
  settleAuthorization: route(at.settleAuthorization, {
    service: 'bookings', who: 'service', origin: 'ours', summary: 'Report a card authorization; the reply is whether to keep, capture or release it',
    params: fields({ holdId: id }), body: internal.authorizationBody, status: 200, reply: internal.authorizationReply,
  }),
  refundsOfPayment: route(at.refundsOfPayment, {
    service: 'bookings', who: 'service', origin: 'ours', summary: 'The refunds owed from a payment',
    params: fields({ paymentId: id }), status: 200, reply: internal.refundsOfPaymentReply,
  }),
  bookingsOfPayments: route(at.bookingsOfPayments, {
    service: 'bookings', who: 'admin', origin: 'ours', summary: 'The bookings of some payments, for an admin',
    query: internal.bookingsOfPaymentsQuery, status: 200, reply: internal.bookingsOfPaymentsReply,
  }),
  refundsOwed: route(at.refundsOwed, {
    service: 'bookings', who: 'service', origin: 'ours', summary: 'Refunds owed, oldest first',
    query: internal.sinceQuery, status: 200, reply: internal.refundsOwedReply,
  }),
  userPayments: route(at.userPayments, {
    service: 'payments', who: 'self', origin: 'ours', summary: "A user's succeeded payments, newest first",
    params: byUser, status: 200, reply: payments.userPaymentsReply,
  }),
  succeededPayments: route(at.succeededPayments, {
    service: 'payments', who: 'service', origin: 'ours',
    summary: 'Succeeded payments that may be booked or have changed at Stripe, ordered by their last change',
    query: internal.sinceQuery, status: 200, reply: internal.succeededPaymentsReply,
  }),
} as const;

export type RouteName = keyof typeof routes;
