import {
  hostileBodies,
  hostileFiles,
  hostileHeaders,
  hostileJson,
  hostilePathParts,
  hostileTexts,
} from './hostile-values.ts';
import { longHeaders, longTexts, longTextsInAddress } from './long-texts.ts';
import type { Operation, Schema } from './operations.ts';

export interface Draft {
  path: Record<string, unknown>;
  /** These path parameters are sent without encoding, in place of those in `path`. */
  rawPath: Record<string, string>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  media: string | undefined;
  body: unknown;
  rawBody: Buffer | undefined;
}

/** Picks one of the values; the run's seed determines which. */
export type Pick = <T>(values: readonly T[]) => T;

type Holder = Record<string, unknown>;
interface Slot {
  holder: Holder;
  key: string;
  schema: Schema | undefined;
}

const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

const slotsIn = (holder: Holder, schema: Schema | undefined): Slot[] =>
  Object.entries(holder).flatMap(([key, value]) => {
    const field = schema?.items ?? schema?.properties?.[key];
    return [{ holder, key, schema: field }, ...(isHolder(value) ? slotsIn(value, field) : [])];
  });

/** Lists all fields that have a value, including nested ones. */
const slotsOf = (draft: Draft, operation: Operation): Slot[] => {
  const schema = draft.media ? operation.bodies[draft.media]?.schema : undefined;
  const parameters = {
    properties: Object.fromEntries(operation.parameters.map((each) => [each.name, each.schema])),
  };
  return [
    ...slotsIn(draft.path, parameters),
    ...slotsIn(draft.query, parameters),
    ...(isHolder(draft.body) ? slotsIn(draft.body, schema) : []),
  ];
};

/** Values just outside the schema's limits, or of another type. */
const nearMisses = (schema: Schema = {}, value: unknown): unknown[] => [
  ...(schema.maxLength === undefined ? [] : ['x'.repeat(schema.maxLength + 1)]),
  ...(schema.minLength === undefined ? [] : ['x'.repeat(Math.max(0, schema.minLength - 1))]),
  ...(schema.maximum === undefined ? [] : [schema.maximum + 1, schema.maximum + 0.5]),
  ...(schema.minimum === undefined ? [] : [schema.minimum - 1]),
  ...(schema.maxItems === undefined ? [] : [Array(schema.maxItems + 1).fill(value)]),
  ...(schema.enum ? [`${schema.enum[0]} `, String(schema.enum[0]).toUpperCase()] : []),
  '',
  null,
  [value],
  { value },
  `${value} `,
  ` ${value}`,
  typeof value === 'string' ? 7 : 'seven',
];

type Change = () => void;

const put =
  (holder: object, key: string, value: unknown): Change =>
  () => {
    // The value is copied, because a later change may mutate it.
    Object.assign(holder, { [key]: structuredClone(value) });
  };

export const nearlyValid = (draft: Draft, operation: Operation, pick: Pick): void => {
  const changes: Change[] = [put(draft.query, pick(['limit', 'cursor', 'x', 'role']), ['1', '2'])];
  if (isHolder(draft.body)) changes.push(put(draft.body, 'role', 'Admin'));
  const slots = slotsOf(draft, operation);
  const left = slots.filter(({ holder }) => holder !== draft.path);
  if (left.length > 0) {
    const { holder, key } = pick(left);
    changes.push(() => void delete holder[key]);
  }
  for (let i = 0; i < 5 && slots.length > 0; i++) {
    const { holder, key, schema } = pick(slots);
    changes.push(put(holder, key, pick(nearMisses(schema, holder[key]))));
  }
  pick(changes)();
};

export const makeHostile = (draft: Draft, operation: Operation, pick: Pick): void => {
  for (let i = pick([1, 1, 2, 3]); i > 0; i--) pick(attacksOn(draft, operation, pick))();
};

export const makeLong = (draft: Draft, operation: Operation, pick: Pick): void => {
  const slots = slotsOf(draft, operation).filter(({ schema }) => schema?.format !== 'binary');
  const inHeader = () => void Object.assign(draft.headers, pick(longHeaders));
  const changes: Change[] = slots.map(({ holder, key }) => {
    const isInUrl = holder === draft.path || holder === draft.query;
    return put(holder, key, pick(isInUrl ? longTextsInAddress : longTexts));
  });
  pick(changes.length > 0 ? [...changes, ...changes, inHeader] : [inHeader])();
};

const attacksOn = (draft: Draft, operation: Operation, pick: Pick): Change[] => {
  const strangeNames = ['limit[$ne]', '__proto__[role]', 'sort', '$where', 'q'];
  const attacks = [
    () => void Object.assign(draft.headers, pick(hostileHeaders)),
    put(draft.query, pick(strangeNames), pick(hostileTexts)),
    ...attacksOnFields(draft, operation, pick),
  ];
  const [firstParam] = Object.keys(draft.path);
  if (firstParam) attacks.push(put(draft.rawPath, firstParam, pick(hostilePathParts)));
  if (isHolder(draft.body)) {
    const addedNames = ['$where', 'a.b', 'constructor', 'role', 'id', 'status'];
    attacks.push(put(draft.body, pick(addedNames), pick(hostileJson)), () => {
      const { type, body } = pick(hostileBodies);
      draft.headers['content-type'] = type;
      draft.rawBody = body;
    });
  }
  return attacks;
};

const attacksOnFields = (draft: Draft, operation: Operation, pick: Pick): Change[] => {
  const slots = slotsOf(draft, operation);
  if (slots.length === 0) return [];
  const files = slots.filter(({ schema }) => schema?.format === 'binary');
  return [1, 2, 3, 4].map(() => {
    const { holder, key, schema } = pick(files.length > 0 ? [...slots, ...files] : slots);
    if (schema?.format === 'binary') return put(holder, key, pick(hostileFiles));
    const isInUrl = holder === draft.path || holder === draft.query;
    return put(holder, key, pick<unknown>(isInUrl ? hostileTexts : hostileJson));
  });
};
