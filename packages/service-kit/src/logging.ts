import { type DestinationStream, pino } from 'pino';
import { currentContext } from './context.ts';
import { currentTraceparent } from './tracing.ts';

export type Logger = pino.Logger;

/** Requires text before the @, so that paths such as node_modules/@scope stay. The lookbehind avoids quadratic time. */
const emailAddress =
  /(?<![^\s/<>"'`(),:;{}[\]@])[^\s/<>"'`(),:;{}[\]@]+@[^\s/<>"'`(),:;{}[\]@]+\.[^\s/<>"'`(),:;{}[\]@]+/gu;

const withoutEmails = (text: string): string => text.replace(emailAddress, '[email]');

/** Keeps only fields without personal data: PostgreSQL adds the row to an error, nodemailer adds the recipients. */
const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, code, message: withoutEmails(message), stack: withoutEmails(stack) };
};

/** Writes JSON lines to stdout and redacts secrets by name. Log ids, never what people typed. */
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
