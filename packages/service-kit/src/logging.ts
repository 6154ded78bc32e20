import { type DestinationStream, pino } from 'pino';
import { currentContext } from './context.ts';
import { currentTraceparent } from './tracing.ts';

export type Logger = pino.Logger;

/**
 * Never a path of a package, such as node_modules/@scope: something must stand before the @, and a dot behind it. The
 * lookbehind tries each run of letters once: from each of its letters, a long one without an @ took quadratic time.
 */
const emailAddress =
  /(?<![^\s/<>"'`(),:;{}[\]@])[^\s/<>"'`(),:;{}[\]@]+@[^\s/<>"'`(),:;{}[\]@]+\.[^\s/<>"'`(),:;{}[\]@]+/gu;

const withoutEmails = (text: string): string => text.replace(emailAddress, '[email]');

/**
 * What an error says, without what libraries put on it besides: the row that PostgreSQL names in `detail`, the recipients
 * that the mail library keeps, the key that MongoDB met twice.
 */
const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, code, message: withoutEmails(message), stack: withoutEmails(stack) };
};

/**
 * JSON lines on stdout, each with the request's or event's correlation id, the id of the event that is being processed, and the
 * trace, if there is one. Secrets are cut by name, and what people typed has no place here: log ids.
 */
export const createLogger = (
  service: string,
  level: string,
  destination?: DestinationStream,
): Logger =>
  pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => {
        const context = currentContext();
        return {
          correlationId: context?.correlationId,
          eventId: context?.causationId ?? undefined,
          trace_id: currentTraceparent()?.split('-')[1],
        };
      },
      serializers: { err: describeError },
      redact: {
        paths: ['*.password', '*.newPassword', '*.token', '*.authorization', '*.cookie'],
        censor: '[cut]',
      },
    },
    destination as DestinationStream,
  );
