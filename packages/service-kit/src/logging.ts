import { type DestinationStream, pino } from 'pino';
import { currentContext } from './context.ts';
import { currentTraceparent } from './tracing.ts';

export type Logger = pino.Logger;

/**
 * Requires a character before the @ and a dot after it, so that package paths such as node_modules/@scope stay. The
 * lookbehind starts a match only at the beginning of a word: otherwise a long word without an @ takes quadratic time.
 */
const emailAddress =
  /(?<![^\s/<>"'`(),:;{}[\]@])[^\s/<>"'`(),:;{}[\]@]+@[^\s/<>"'`(),:;{}[\]@]+\.[^\s/<>"'`(),:;{}[\]@]+/gu;

const withoutEmails = (text: string): string => text.replace(emailAddress, '[email]');

/**
 * Logs only an error's type, code, message and stack. Libraries add personal data in other fields: PostgreSQL's
 * `detail` has the row, the email library has the recipients, MongoDB the duplicate key.
 */
const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, code, message: withoutEmails(message), stack: withoutEmails(stack) };
};

/**
 * Creates a logger that writes JSON lines to stdout with the correlation id, the id of the event being processed, and
 * the trace id. Secrets are redacted by name. Never log what people typed; log ids.
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
