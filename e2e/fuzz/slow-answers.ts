import { api, type Person } from '../src/people.ts';
import { asCurl, send, type WireRequest } from './send.ts';

export interface Finding {
  what: string;
  times: number;
  reproduction: string;
}

/** On an idle machine, every reply must take less time than this. */
const slowMs = 200;
const triesAlone = 5;
const checkedOfEach = 3;

/** Calls that may take longer, with the reason. */
const mayTakeLonger: Readonly<Record<string, string>> = {
  createAccount: 'hashes a password, encodes a picture',
  login: 'hashes a password, and delays guesses at an account',
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

/** Records the slowest requests of each call, and repeats them alone at the end: under load, many replies are slow. */
export const createSlowAnswers = () => {
  const byCall = new Map<string, SlowAnswer[]>();

  return {
    note(answer: SlowAnswer): void {
      if (answer.tookMs < slowMs || answer.operation in mayTakeLonger) return;
      const known = byCall.get(answer.operation) ?? [];
      const slowest = [...known, answer].sort((a, b) => b.tookMs - a.tookMs);
      byCall.set(answer.operation, slowest.slice(0, checkedOfEach));
    },

    /** Judges a request by the fastest of several replies, because load can only slow replies down. */
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
  // Log in for a new token: a request with an expired one is rejected before it reaches the slow code.
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
