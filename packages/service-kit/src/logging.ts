import { pino } from 'pino';
import { currentContext } from './context.ts';

export type Logger = pino.Logger;

/** JSON lines on stdout, each with the request's or event's correlation id. Secrets are cut by name. */
export const createLogger = (service: string, level: string): Logger =>
  pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ correlationId: currentContext()?.correlationId }),
    redact: {
      paths: ['*.password', '*.newPassword', '*.token', '*.authorization', '*.cookie'],
      censor: '[cut]',
    },
  });
