/**
 * Method and path of every call in Express notation; `routes/` defines the schemas and callers. This file imports no
 * schemas, so that the web app can use addresses without them. Bundlers drop the addresses that are not used, because
 * each is an export of its own.
 */

/** All addresses of pictures begin with this. */
export const images = '/api/images/';

// Accounts and sessions
export const createAccount = 'POST /api/create-account';
export const login = 'POST /api/login';
export const secondFactorLogin = 'POST /api/login/second-factor';
export const startPasskeyLogin = 'POST /api/login/passkey/options';
export const passkeyLogin = 'POST /api/login/passkey';
export const logout = 'POST /api/logout';
export const refreshToken = 'POST /api/refresh-token';
export const sessions = 'GET /api/user/:userId/sessions';
export const endSession = 'DELETE /api/user/:userId/sessions/:id';
export const endOtherSessions = 'DELETE /api/user/:userId/sessions';
export const reauthenticate = 'POST /api/user/:userId/reauthenticate';
export const startPasskeyCheck = 'POST /api/user/:userId/reauthenticate/passkey-options';
export const secondFactors = 'GET /api/user/:userId/second-factors';
export const startTotp = 'POST /api/user/:userId/second-factors/totp';
export const confirmTotp = 'POST /api/user/:userId/second-factors/totp/confirm';
export const removeTotp = 'DELETE /api/user/:userId/second-factors/totp';
export const renewRecoveryCodes = 'POST /api/user/:userId/second-factors/recovery-codes';
export const startPasskey = 'POST /api/user/:userId/passkeys/options';
export const addPasskey = 'POST /api/user/:userId/passkeys';
export const renamePasskey = 'PUT /api/user/:userId/passkeys/:id';
export const removePasskey = 'DELETE /api/user/:userId/passkeys/:id';
export const requestDeletion = 'POST /api/user/:userId/deletion';
export const requestDataExport = 'POST /api/user/:userId/data-exports';
export const dataExport = 'GET /api/user/:userId/data-exports/:id';
export const getUserByEmail = 'GET /api/get-user-by-email/:email';
export const updateAccount = 'PUT /api/update-account/:userId';
export const userRequestPasswordToken = 'POST /api/user-request-password-token';
export const requestPasswordToken = 'POST /api/request-password-token';
export const resetPassword = 'POST /api/reset-password';
export const confirmEmail = 'POST /api/confirm-email';
export const undoEmailChange = 'POST /api/undo-email-change';
export const formerEmails = 'GET /api/users/:userId/former-emails';
export const restoreEmail = 'POST /api/users/:userId/restore-email';
export const removeSecondFactors = 'POST /api/users/:userId/remove-second-factors';
export const sendVerification = 'POST /api/user/:userId/send-verification';
export const allUsers = 'GET /api/all-users';
export const getUser = 'GET /api/users/:userId';
export const setUser = 'PUT /api/users/:userId';
export const blockedPeople = 'GET /api/user/:userId/blocks';
export const blockPerson = 'PUT /api/user/:userId/blocks/:id';
export const unblockPerson = 'DELETE /api/user/:userId/blocks/:id';
export const addReport = 'POST /api/reports';
export const appealDecision = 'POST /api/reports/appeal';
export const reports = 'GET /api/admin/reports';
export const takeReport = 'PUT /api/admin/reports/:id/taker';
export const decideReport = 'POST /api/admin/reports/:id/decide';
export const auditLog = 'GET /api/admin/audit-log';
export const auditLogCsv = 'GET /api/admin/audit-log/csv';
export const accountStats = 'GET /api/admin/stats/accounts';
export const workOfAccounts = 'GET /api/admin/work/accounts';
export const states = 'GET /api/places/states';
export const cities = 'GET /api/places/states/:code/cities';
export const zip = 'GET /api/places/zips/:zip';
export const personImage = `GET ${images}people-:name` as const;

// Tools and categories
export const allRentals = 'GET /api/all-rentals';
export const rentalsOfCategory = 'GET /api/rentals/:categoryId/get-tools';
export const toolsNearYou = 'GET /api/get-tools-near-you';
export const getTool = 'GET /api/get-tool/:id';
export const myRentals = 'GET /api/user/:userId/rentals/my-rentals';
export const priceRange = 'GET /api/user/:userId/price-range';
export const toolsOfUser = 'GET /api/admin/users/:userId/tools';
export const savedTools = 'GET /api/user/:userId/saved-tools';
export const savedToolIds = 'GET /api/user/:userId/saved-tools/ids';
export const saveTool = 'PUT /api/user/:userId/saved-tools/:id';
export const unsaveTool = 'DELETE /api/user/:userId/saved-tools/:id';
export const addRental = 'POST /api/user/:userId/add-rental';
export const updateRental = 'PUT /api/update-rental/:id';
export const deleteTool = 'DELETE /api/rentals/delete-tool/:id';
export const allCategories = 'GET /api/all-rental-categories';
export const addCategory = 'POST /api/add-rentals-main-category';
export const updateCategory = 'PUT /api/update-rental-category/:id';
export const deleteCategory = 'DELETE /api/category/delete-category/:id';
export const catalogStats = 'GET /api/admin/stats/catalog';
export const listedTools = 'GET /api/admin/tools';
export const workOfCatalog = 'GET /api/admin/work/catalog';
export const toolImage = `GET ${images}tools-:name` as const;

// Holds, bookings and reviews
export const holdCart = 'POST /api/user/:userId/holds';
export const releaseHold = 'DELETE /api/user/:userId/holds/:holdId';
export const addRentalBooking = 'POST /api/user/:userId/add-rental-booking';
export const updateBooking = 'PUT /api/user/:userId/rentalBookings/update-booking/:id';
export const undoReturn = 'POST /api/user/:userId/rentalBookings/undo-return/:id';
export const cancelBooking = 'POST /api/user/:userId/rentalBookings/cancel-booking/:id';
export const cancelPreview = 'GET /api/rentalBookings/:id/cancel-preview';
export const changePreview = 'GET /api/user/:userId/rentalBookings/change-preview/:id';
export const changeBooking = 'POST /api/user/:userId/rentalBookings/change-booking/:id';
export const acceptApproval = 'POST /api/user/:userId/approvals/:id/accept';
export const undoAccept = 'POST /api/user/:userId/approvals/:id/undo-accept';
export const declineApproval = 'POST /api/user/:userId/approvals/:id/decline';
export const withdrawApproval = 'POST /api/user/:userId/approvals/:id/withdraw';
export const refundBooking = 'POST /api/rentalBookings/refund-booking/:id';
export const reportProblem = 'POST /api/user/:userId/rentalBookings/report-problem/:id';
export const allProblems = 'GET /api/admin/problems';
export const settleProblem = 'POST /api/admin/problems/:id/settle';
export const ownerBookings = 'GET /api/rentalBookings/my-bookings';
export const renterBookings = 'GET /api/rentalBookings/:userId/my-bookings';
export const today = 'GET /api/user/:userId/today';
export const earnings = 'GET /api/user/:userId/earnings';
export const calendarFeed = 'GET /api/user/:userId/calendar-feed';
export const renewCalendarFeed = 'POST /api/user/:userId/calendar-feed';
export const stopCalendarFeed = 'DELETE /api/user/:userId/calendar-feed';
export const readCalendarFeed = 'GET /api/calendars/:name';
export const getBooking = 'GET /api/rentalBookings/:id/details';
export const allBookings = 'GET /api/all-bookings';
export const getReviews = 'GET /api/rentalBookings/get-review';
export const toolAvailability = 'GET /api/rentals/:id/availability';
export const toolOwner = 'GET /api/rentals/:id/owner';
export const addReview = 'POST /api/user/:userId/reviews/add-review';
export const reviewRenter = 'POST /api/user/:userId/rentalBookings/review-renter/:id';
export const replyToReview = 'POST /api/user/:userId/reviews/:id/reply';
export const publicPerson = 'GET /api/people/:id';
export const personReviews = 'GET /api/people/:id/reviews';
export const bookingStats = 'GET /api/admin/stats/bookings';
export const listedReviews = 'GET /api/admin/reviews';
export const workOfBookings = 'GET /api/admin/work/bookings';

// Payments
export const createPaymentIntent = 'POST /api/payment/create-payment-intent';
export const confirmPayment = 'PUT /api/payment/confirm-payment/:paymentId';
export const paymentWebhook = 'POST /api/payment/webhook';
export const connectWebhook = 'POST /api/payment/connect-webhook';
export const paymentConfig = 'GET /api/payment/config';
export const savedCards = 'GET /api/user/:userId/cards';
export const removeCard = 'DELETE /api/user/:userId/cards/:cardId';
export const receipt = 'GET /api/user/:userId/receipts/:paymentId';
export const receiptFile = 'GET /api/user/:userId/receipts/:paymentId/:number';
export const disputes = 'GET /api/admin/disputes';
export const fraudWarnings = 'GET /api/admin/fraud-warnings';
export const payoutAccount = 'GET /api/user/:userId/payout-account';
export const createPayoutLink = 'POST /api/user/:userId/payout-account/link';
export const holdPayouts = 'PUT /api/admin/users/:userId/payout-account';
export const payouts = 'GET /api/user/:userId/payouts';
export const statement = 'GET /api/user/:userId/statements/:month';
export const statementCsv = 'GET /api/user/:userId/statements/:month/csv';
export const statementPdf = 'GET /api/user/:userId/statements/:month/pdf';
export const adminPayouts = 'GET /api/admin/payouts';
export const stuckTransfers = 'GET /api/admin/transfers';
export const retryTransfer = 'POST /api/admin/payments/:paymentId/transfers/:bookingId/retry';
export const debts = 'GET /api/admin/debts';
export const writeOffDebt = 'POST /api/admin/users/:userId/write-off';
export const waiveInquiry = 'POST /api/admin/disputes/:id/waive';
export const ledgerCsv = 'GET /api/admin/ledger/:month';
export const failedRefunds = 'GET /api/admin/refunds';
export const stripeObject = 'GET /api/admin/stripe/:stripeId';
export const money = 'GET /api/admin/money';
export const workOfPayments = 'GET /api/admin/work/payments';

// Threads
export const myMessages = 'GET /api/messaging/:bookingId/my-messages';
export const sendMessage = 'POST /api/rentalBookings/:bookingId/send-message';
export const myReplies = 'GET /api/replies/:messageId/my-replies';
export const sendReply = 'POST /api/user/:userId/messaging/:messageId/send-reply';
export const threads = 'GET /api/admin/threads';
export const workOfMessaging = 'GET /api/admin/work/messaging';
export const sendQuestion = 'POST /api/user/:userId/rentals/:toolId/send-question';
export const findQuestion = 'GET /api/user/:userId/rentals/:toolId/question';
export const answerQuestion = 'POST /api/user/:userId/messaging/:messageId/answer';
export const myThreads = 'GET /api/user/:userId/threads';
export const getThread = 'GET /api/user/:userId/threads/:threadId';

// Notices
export const myNotices = 'GET /api/user/:userId/notifications';
export const readNotice = 'PUT /api/user/:userId/notifications/:id/read';
export const readAllNotices = 'PUT /api/user/:userId/notifications/read-all';
export const sendNotification = 'POST /api/send-notification';
export const sendMessagingNotification = 'POST /api/send-messaging-notification';
export const addNotification = 'POST /api/user/:ownerId/notifications/add-notification';
export const preferences = 'GET /api/user/:userId/preferences';
export const setPreferences = 'PUT /api/user/:userId/preferences';
export const unsubscribe = 'POST /api/unsubscribe';
export const workOfNotifications = 'GET /api/admin/work/notifications';

// Internal calls between services, which the gateway does not forward
export const publicKeys = 'GET /.well-known/jwks.json';
export const revocations = 'GET /internal/revocations';
export const checkPassword = 'POST /internal/users/:userId/check-password';
export const openBookings = 'GET /internal/users/:userId/open-bookings';
export const dataOfCatalog = 'GET /internal/users/:userId/data-of-catalog';
export const dataOfBookings = 'GET /internal/users/:userId/data-of-bookings';
export const dataOfPayments = 'GET /internal/users/:userId/data-of-payments';
export const dataOfMessaging = 'GET /internal/users/:userId/data-of-messaging';
export const dataOfNotifications = 'GET /internal/users/:userId/data-of-notifications';
export const openMoney = 'GET /internal/users/:userId/open-money';
export const checkout = 'POST /internal/holds/:holdId/checkout';
export const checkPaymentLimit = 'GET /internal/users/:userId/payment-limit';
export const settleAuthorization = 'PUT /internal/holds/:holdId/authorization';
export const refundsOfPayment = 'GET /internal/payments/:paymentId/refunds';
export const ordersOfPayment = 'GET /internal/payments/:paymentId/orders';
export const bookingsOfPayments = 'GET /internal/bookings-of-payments';
export const earnedBookings = 'POST /internal/earned-bookings';
export const refundsOwed = 'GET /internal/refunds';
export const userPayments = 'GET /internal/users/:userId/payments';
export const succeededPayments = 'GET /internal/payments';
export const receiptLines = 'GET /internal/payments/:paymentId/lines';
export const reportedReview = 'GET /internal/reviews/:id';
export const reportedMessage = 'GET /internal/messages/:id';
export const emailedReceipt = 'GET /internal/payments/:paymentId/receipt';

// The gateway's documentation of the API
export const openApi = '/api/openapi.json';
export const docs = '/api/docs';
