import { invalidRequest } from './stripe-error.ts';

/** Where a fault can occur: API calls, and the delivery of webhooks. */
const FAULT_POINTS = [
  'create',
  'retrieve',
  'list',
  'confirm',
  'capture',
  'cancel',
  'refund',
  'webhook',
] as const;

/**
 * `after-effect`: the effect is stored, and only the reply is lost or wrong. `hang` waits after the effect, `slow` before it.
 * The last four are for webhooks.
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
  /** Returns the fault to apply now, if any, and counts it down. */
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
