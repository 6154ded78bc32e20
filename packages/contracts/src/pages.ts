/**
 * Addresses of the web app's screens, for its router and links, the emails and the gateway's previews. Each is an
 * export of its own, so that a screen bundles only the addresses that it links to.
 */

// For all visitors
export const home = '/';
export const browse = '/home';
export const howItWorks = '/how-it-works';
export const benefits = '/benefits';
export const signUp = '/create-account';
export const login = '/user-login';
/** Users who open an admin page without being admins are redirected here. */
export const adminLogin = '/user/login';
export const passwordRequest = '/password-request';
export const resetPassword = '/reset-password';
export const confirmEmail = '/confirm-email';
export const undoEmailChange = '/undo-email-change';
export const appeal = '/appeal';
/** The link in emails that users can turn off. Mail programs also post to it (RFC 8058), and the gateway forwards that to the API. */
export const unsubscribe = '/unsubscribe';
export const tool = '/rental-details';
/** `?id=` is the person. */
export const person = '/people';
export const bookingSummary = '/rental-booking-summary';
export const cart = '/cart';

/** Another business once used this domain, and links to its pages must not break. */
export const moved = [
  '/about-us',
  '/services',
  '/data-science',
  '/service-details',
  '/contact-us',
  '/upstream-oil-gas-services',
  '/geopressure-study',
  '/reservoir-geomechanics',
  '/gandg-integrated-study',
];

// For members
export const userArea = '/user';
export const dashboard = '/user/user-dashboard';
export const memberTool = '/user/rental-details';
export const memberBookingSummary = '/user/rental-booking-summary';
export const memberCart = '/user/cart';
export const booking = '/user/booking-page';
export const bookingSuccess = '/user/rental-booking-success';
export const myTools = '/user/my-rentals';
export const myCalendar = '/user/my-calendar';
export const addTool = '/user/add-rental';
export const editTool = '/user/my-tool-details';
export const getPaid = '/user/get-paid';
export const earnings = '/user/earnings';
export const savedTools = '/user/saved-tools';
export const myBookings = '/user/my-bookings';
export const myBooking = '/user/my-bookings-details';
export const rentalHistory = '/user/my-rental-history';
export const rental = '/user/my-rental-history-details';
export const changeBooking = '/user/change-booking';
export const receipt = '/user/receipt';
export const messages = '/user/messages';
/** A question before a booking: `?id=` is its thread; `?tool=` the tool that the reader asks about. */
export const conversation = '/user/conversation';
export const profile = '/user/my-profile';
export const changePassword = '/user/user-reset-password';
export const security = '/user/security';
export const myData = '/user/my-data';
export const blockedPeople = '/user/blocked-people';
export const preferences = '/user/preferences';
export const notices = '/user/notifications';

// For admins
export const adminArea = '/admin';
export const adminDashboard = '/admin/admin-dashboard';
export const categories = '/admin/all-rental-categories';
export const addCategory = '/admin/add-rental-category';
export const editCategory = '/admin/rental-category-details';
export const users = '/admin/all-users';
export const user = '/admin/user-details';
export const allBookings = '/admin/all-rental-bookings';
export const adminBooking = '/admin/booking-details';
export const problems = '/admin/problems';
export const reports = '/admin/reports';
export const disputes = '/admin/disputes';
export const payouts = '/admin/payouts';
export const adminTools = '/admin/all-tools';
export const reviews = '/admin/all-reviews';
export const threads = '/admin/all-messages';
export const auditLog = '/admin/audit-log';
export const adminSearch = '/admin/search';

export const ofId = (page: string, id: string): string => `${page}?id=${id}`;
