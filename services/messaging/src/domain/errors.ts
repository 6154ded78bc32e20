import { AppError, notFound } from '@lendtools/service-kit';

/** Users who are neither a party nor an admin also get this reply, so that it does not reveal whether the booking exists. */
export const threadNotFound = () =>
  notFound('THREAD_NOT_FOUND', 'There is no conversation about this booking.');

export const messageNotFound = () => notFound('MESSAGE_NOT_FOUND', 'There is no such message.');

export const threadAlreadyOpen = () =>
  new AppError(
    'THREAD_ALREADY_OPEN',
    'There is already a message about this booking. Please reply to it.',
  );

/** The message is the same whether time or a block has closed the thread: the reply must not reveal a block. */
export const threadClosed = () =>
  new AppError('THREAD_CLOSED', 'This conversation is closed. You can no longer write in it.');

export const idempotencyKeyReused = () =>
  new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was already used for another message.',
  );

export const answerAwaited = () =>
  new AppError(
    'ANSWER_AWAITED',
    'You have written several times. Please wait for the answer of the owner.',
  );

/** Same text as in catalog, so that the reply does not reveal whether the tool is gone or a block hides it. */
export const toolNotFound = () =>
  notFound('TOOL_NOT_FOUND', 'This tool is no longer on LendTools.');

export const toolIsYours = () =>
  new AppError('TOOL_IS_YOURS', 'This is your own tool. You can edit it under My Tools.');

export const questionAlreadyOpen = () =>
  new AppError(
    'THREAD_ALREADY_OPEN',
    'You already have an open question about this tool. Please reply in that conversation.',
  );
