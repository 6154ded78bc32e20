import { describe, expect, it } from '@jest/globals';
import { createLogger, runInContext } from '../src/index.ts';

const linesOf = (work: (logger: ReturnType<typeof createLogger>) => void) => {
  const lines: string[] = [];
  work(createLogger('test', 'info', { write: (line: string) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line));
};

describe('a logger', () => {
  it('logs the correlation id and the id of the event being processed', () => {
    const context = { correlationId: 'request-1', causationId: 'event-1' };

    const lines = linesOf((logger) => {
      logger.info('before');
      runInContext(context, () => logger.info({ queue: 'q' }, 'within'));
    });

    expect(lines).toEqual([
      { level: 30, time: expect.any(String), service: 'test', msg: 'before' },
      {
        level: 30,
        time: expect.any(String),
        service: 'test',
        msg: 'within',
        queue: 'q',
        correlationId: 'request-1',
        eventId: 'event-1',
      },
    ]);
  });

  it('writes one line, whatever a text contains', () => {
    const name = 'a\n{"level":50,"msg":"forged"}\r\u2028';

    const lines = linesOf((logger) => logger.info({ name }, 'typed'));

    expect(lines).toMatchObject([{ level: 30, msg: 'typed', name }]);
  });

  it('logs an error message with a long word in linear time', () => {
    const timeOf = (length: number): number => {
      const error = new Error('x'.repeat(length));
      error.stack = '';
      const start = performance.now();
      linesOf((logger) => logger.error({ err: error }, 'failed'));
      return performance.now() - start;
    };
    // Quadratic time would grow 64-fold. Other load on the machine only raises a ratio, so compare the lowest.
    const ratios = Array.from({ length: 5 }, () => timeOf(80_000) / timeOf(10_000));

    expect(Math.min(...ratios)).toBeLessThan(32);
  });

  it('logs an error without the personal data that libraries attach to it', () => {
    const taken = Object.assign(new Error('duplicate key value violates unique constraint "u"'), {
      code: '23505',
      detail: 'Key (email)=(rita@example.com) already exists.',
    });
    const rejection = Object.assign(new Error('550 no mailbox for rita@example.com here'), {
      code: 'EENVELOPE',
      rejected: ['rita@example.com'],
    });
    const wrapped = new Error('not sent', { cause: rejection });

    const lines = linesOf((logger) => {
      for (const err of [taken, rejection, wrapped]) logger.warn({ err }, 'it failed');
    });

    expect(lines.map(({ err }) => [err.code, err.message])).toEqual([
      ['23505', 'duplicate key value violates unique constraint "u"'],
      ['EENVELOPE', '550 no mailbox for [email] here'],
      [undefined, 'not sent: 550 no mailbox for [email] here'],
    ]);
    expect(lines.every(({ err }) => err.stack.includes('logging.test.ts'))).toBe(true);
    expect(JSON.stringify(lines)).not.toContain('rita');
  });

  it('keeps the paths in an error’s stack, including those of scoped packages', () => {
    const failed = new Error('no');
    failed.stack = 'Error: no\n    at f (file:///app/node_modules/@lendtools/kit/src/a.ts:1:2)';

    const [line] = linesOf((logger) => logger.error({ err: failed }, 'it failed'));

    expect(line.err.stack).toBe(failed.stack);
  });
});
