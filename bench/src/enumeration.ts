import { randomUUID } from 'node:crypto';
import { api, newPerson } from '@lendtools/e2e/people';
import { inShort } from './effort.ts';
import { median, type Row } from './statistics.ts';

const rounds = inShort(60, 5);
const boundMs = 10;

/** Compares the replies to known and unknown emails: neither a reply nor its time may reveal who has an account. */
export const benchEnumeration = async (): Promise<Row[]> => {
  const { email } = await newPerson();
  const ask = async (path: string, body: object) => {
    const started = performance.now();
    const { status, body: said } = await api().post(path, { body });
    const { requestId: _, ...words } = said;
    return { ms: performance.now() - started, answer: JSON.stringify([status, words]) };
  };

  const rows: Row[] = [];
  for (const path of ['/api/login', '/api/request-password-token']) {
    const known: number[] = [];
    const unknown: number[] = [];
    const answers = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const password = `wrong-${randomUUID()}`;
      const one = await ask(path, { email, password });
      const other = await ask(path, { email: `${randomUUID()}@lendtools.test`, password });
      known.push(one.ms);
      unknown.push(other.ms);
      answers.add(one.answer).add(other.answer);
    }
    const [knownMs, unknownMs] = [median(known), median(unknown)];
    rows.push({
      name: `${path}: known and unknown email`,
      measured: `${knownMs.toFixed(1)} and ${unknownMs.toFixed(1)} ms, ${answers.size} answer`,
      bound: `≤ ${boundMs} ms apart, 1 answer`,
      kept: Math.abs(knownMs - unknownMs) <= boundMs && answers.size === 1,
    });
  }
  return rows;
};
