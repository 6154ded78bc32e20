import { invalidRequest } from './stripe-error.ts';

const FAULT_POINTS = [
  'create',
  'retrieve',
  'list',
  'confirm',
  'capture',
  'cancel',
  'refund',
  'customer',
  'account',
  'account_link',
  'login_link',
  'transfer',
  'reversal',
  'webhook',
] as const;

/**
 * An "effect" is the execution of a request: `…-after-effect` faults only change or lose the reply. `hang` waits after the effect,
 * `slow` before it.
 */
const FAULT_KINDS = [
  'reset-before-effect',
  'reset-after-effect',
  'error-500-before-effect',
  'error-500-after-effect',
  '429',
  '409',
  'hang',
  'slow',
  'drop',
  'delay',
  'duplicate',
  'forge',
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];
type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  point: FaultPoint;
  kind: FaultKind;
  count: number;
  delayMs: number;
}

export interface Faults {
  add(input: Record<string, unknown>): Fault;
  take(point: FaultPoint): Fault | undefined;
  list(): Fault[];
  clear(): void;
}

export function createFaults(): Faults {
  let faults: Fault[] = [];
  return {
    add(input) {
      const point = FAULT_POINTS.find((known) => known === input.point);
      const kind = FAULT_KINDS.find((known) => known === input.kind);
      if (!point) throw invalidRequest(`point must be one of ${FAULT_POINTS.join(', ')}`);
      if (!kind) throw invalidRequest(`kind must be one of ${FAULT_KINDS.join(', ')}`);
      const count = Number(input.count ?? 1);
      const fault = { point, kind, count, delayMs: Number(input.delayMs ?? 30_000) };
      faults.push(fault);
      return fault;
    },
    take(point) {
      const fault = faults.find((armed) => armed.point === point);
      if (!fault) return undefined;
      fault.count -= 1;
      faults = faults.filter((armed) => armed.count > 0);
      return fault;
    },
    list: () => faults,
    clear() {
      faults = [];
    },
  };
}
