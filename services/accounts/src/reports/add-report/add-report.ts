import { type Body, internalRoutes, routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  AppError,
  bearerToken,
  call,
  handle,
  inTransaction,
  spend,
  unauthenticated,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { reportIsYours, userNotFound } from '../../domain/errors.ts';
import {
  findWaitingNumber,
  insertReport,
  type NewReport,
  reportNumber,
  type Snapshot,
} from '../../store/report-repository.ts';
import { findUser, lockWhetherDeleted } from '../../store/user-repository.ts';

/** Adds a report with a copy of what it is about, and confirms it by email. */
export const addReport = (deps: Deps) =>
  handle(routes.addReport, async ({ body, user, request }) => {
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const { about, id: contentId, reason, text } = body;
    if (about !== 'tool' && !user) throw unauthenticated();
    const from: NewReport['from'] = user
      ? { userId: user.userId }
      : { email: requireEmail(body.email) };
    const isConfirmed = await countReport(deps, from, request.ip ?? '');
    const token = bearerToken(request.get('authorization')) ?? '';
    const snapshot = await readers[about](deps, contentId, token);
    if (snapshot.authorId === user?.userId) throw reportIsYours();
    const report = { about, contentId, reason, text, from, ...snapshot };
    const number = await save(deps, report, { isConfirmed });
    return {
      message: 'Thank you. We will review it and email you our decision.',
      number: reportNumber(number),
    };
  });

const requireEmail = (email: string | undefined): string => {
  if (email === undefined)
    throw new AppError('VALIDATION_FAILED', 'Please enter your email', { path: 'email' });
  return email;
};

/** @returns whether the report may be confirmed by email */
const countReport = async (
  { pool, quotas, limits }: Deps,
  from: NewReport['from'],
  ip: string,
): Promise<boolean> => {
  if ('email' in from) return limits.report(from.email, ip);
  await spend(pool, from.userId, quotas.reports);
  return true;
};

type Read = (deps: Deps, id: string, token: string) => Promise<Snapshot>;

const timeoutMs = 3_000;

/** Reads the tool as a visitor: a tool that others cannot see cannot be reported. */
const readTool: Read = async ({ catalog }, id) => {
  const reply = await call(catalog, routes.getTool, { params: { id }, timeoutMs });
  const [tool] = reply.tool;
  if (!tool) throw new Error('catalog replied without a tool');
  const { cover_image, image1, image2, image3, image4 } = tool;
  return {
    title: tool.name,
    content: tool.description,
    images: [cover_image, image1, image2, image3, image4].filter((image) => image !== 'null'),
    authorId: tool.userId,
    bookingId: null,
  };
};

const readPerson: Read = async ({ pool }, id) => {
  const person = await findUser(pool, id);
  if (!person) throw userNotFound();
  const { firstName, lastName, image } = person;
  const images = image === 'null' ? [] : [image];
  return { title: `${firstName} ${lastName}`, content: '', images, authorId: id, bookingId: null };
};

const readReview: Read = async ({ bookings }, id, token) => {
  const route = internalRoutes.reportedReview;
  const review = await call(bookings, route, { params: { id }, token, timeoutMs });
  return { ...review, images: [] };
};

const readMessage: Read = async ({ messaging }, id, token) => {
  const route = internalRoutes.reportedMessage;
  const message = await call(messaging, route, { params: { id }, token, timeoutMs });
  return { ...message, images: [] };
};

/** Bookings and messaging check with the reporter's token that the reporter may read the content. */
const readers: Record<Body<typeof routes.addReport>['about'], Read> = {
  tool: readTool,
  person: readPerson,
  review: readReview,
  message: readMessage,
};

const noCopy = { title: '', content: '', images: [] };

/** @returns the report's number; if the user's report about this content still waits, the number of that one */
const save = (
  { pool }: Deps,
  report: NewReport,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<number> =>
  inTransaction(pool, async (tx) => {
    const { from } = report;
    // Lock the author before the insert: a concurrent deletion would not erase this copy.
    const isErased = await lockWhetherDeleted(tx, report.authorId);
    if (isErased && report.about === 'person') throw userNotFound();
    const added = await insertReport(tx, isErased ? { ...report, ...noCopy } : report);
    if (!added) {
      const number = 'userId' in from && (await findWaitingNumber(tx, from.userId, report));
      if (!number) throw new Error('the report was neither added nor found');
      return number;
    }
    if (!isConfirmed) return added.number;
    const reporter =
      'userId' in from ? await findUser(tx, from.userId) : { email: from.email, firstName: '' };
    if (!reporter) throw new Error('the reporter has no account');
    const data = {
      userId: 'userId' in from ? from.userId : null,
      reportId: added.id,
      number: reportNumber(added.number),
      about: added.about,
      reason: added.reason,
      email: reporter.email,
      firstName: reporter.firstName,
    };
    await addToOutbox(tx, newEvent('ReportReceived', added, data));
    return added.number;
  });
