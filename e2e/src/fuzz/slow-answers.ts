import { api, type Person } from '../people.ts';
import { asCurl, send, type WireRequest } from './send.ts';

export interface Finding {
  what: string;
  times: number;
  reproduction: string;
}

/** No answer takes longer on an idle machine, whatever was asked. */
const slowMs = 200;
const triesAlone = 5;
/** Of each call as many as this are asked again: a busy machine makes many answers slow. */
const checkedOfEach = 3;

/** The calls that may, and why. */
const mayTakeLonger: Readonly<Record<string, string>> = {
  createAccount: 'hashes a password, encodes a picture',
  login: 'hashes a password, and waits where an account is guessed at',
  updateAccount: 'hashes a password, encodes a picture',
  resetPassword: 'hashes two passwords',
  addRental: 'encodes pictures',
  updateRental: 'encodes pictures',
  addCategory: 'encodes a picture',
  updateCategory: 'encodes a picture',
  sendNotification: 'waits up to a second for the event of the booking',
  sendMessagingNotification: 'waits up to a second for the event of the message',
  holdCart: 'waits up to two seconds for the event of a tool just listed',
  addRentalBooking: 'waits up to two seconds for the event of a tool just listed',
  addNotification: 'waits up to a second for the event of the booking',
};

interface SlowAnswer {
  operation: string;
  where: string;
  person: Person | undefined;
  request: WireRequest;
  tookMs: number;
}

export interface Slowest {
  where: string;
  ms: number;
}

/** Remembers the slowest requests of each call, and tells in the end which are slow when they are asked alone. */
export const createSlowAnswers = () => {
  const byCall = new Map<string, SlowAnswer[]>();

  return {
    note(answer: SlowAnswer): void {
      if (answer.tookMs < slowMs || answer.operation in mayTakeLonger) return;
      const known = byCall.get(answer.operation) ?? [];
      const slowest = [...known, answer].sort((a, b) => b.tookMs - a.tookMs);
      byCall.set(answer.operation, slowest.slice(0, checkedOfEach));
    },

    /** The best of several tries counts, with nothing else under way: load makes an answer late, never early. */
    async judge(
      until: AbortSignal,
    ): Promise<{ findings: Finding[]; slowest: Slowest | undefined }> {
      const findings: Finding[] = [];
      let slowest: Slowest | undefined;
      for (const answer of [...byCall.values()].flat()) {
        if (until.aborted) break;
        const ms = await bestAlone(answer);
        const { where, request } = answer;
        if (!slowest || ms > slowest.ms) slowest = { where, ms };
        if (ms <= slowMs) continue;
        const what = `${where}: takes more than ${slowMs} ms`;
        findings.push({ what, times: 1, reproduction: `${ms.toFixed(0)} ms: ${asCurl(request)}` });
      }
      return { findings, slowest };
    },
  };
};

const bestAlone = async ({ person, request }: SlowAnswer): Promise<number> => {
  const headers = { ...request.headers };
  // A token that has ended meanwhile would be refused before anything slow is done.
  if (person && headers.authorization?.startsWith('Bearer ey')) {
    const { email, password } = person;
    const { status, body } = await api().post('/api/login', { body: { email, password } });
    if (status === 200) headers.authorization = `Bearer ${body.token}`;
  }
  let best = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < triesAlone && best > slowMs; tried++) {
    const { tookMs } = await send({ ...request, headers });
    best = Math.min(best, tookMs);
  }
  return best;
};
