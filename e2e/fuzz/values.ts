import fc from 'fast-check';
import { daysAhead } from '../src/purchases.ts';
import type { Schema } from './operations.ts';

export type Pools = Record<string, fc.Arbitrary<unknown>>;

export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const words = fc.string({ unit: 'grapheme', maxLength: 60 });

const texts = (schema: Schema): fc.Arbitrary<string> => {
  if (schema.format === 'uuid') return fc.uuid({ version: 7 });
  if (schema.format === 'date') return fc.integer({ min: 0, max: 60 }).map(daysAhead);
  // Ignore patterns with \p{…}: they only forbid control characters, which the generated words never contain.
  if (schema.pattern && !schema.pattern.includes('\\p'))
    return fc.stringMatching(new RegExp(schema.pattern));
  const { minLength = 0, maxLength = 60 } = schema;
  return words.map((text) => {
    const enough = text.padEnd(minLength, 'saw ').trim().padEnd(minLength, 'x');
    return enough.slice(0, maxLength).toWellFormed();
  });
};

const numbers = (schema: Schema): fc.Arbitrary<number> => {
  const min = schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
  const max = Math.max(min, Math.min(schema.maximum ?? 1_000, 100_000));
  if (schema.type === 'integer') return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  return fc.integer({ min: Math.ceil(min * 100), max: Math.floor(max * 100) }).map((n) => n / 100);
};

const objects = (schema: Schema, pools: Pools): fc.Arbitrary<Record<string, unknown>> => {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const anyValue = valuesOf(field, pools);
    const pool = pools[name];
    return [name, pool ? fc.oneof({ weight: 9, arbitrary: pool }, anyValue) : anyValue];
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
};

/** Generates values for a schema, preferably from a field's pool. Files are generated as Buffers. */
export const valuesOf = (schema: Schema, pools: Pools): fc.Arbitrary<unknown> => {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => valuesOf(each, pools)));
  if (schema.format === 'binary') return fc.constant(tinyPng);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return texts(schema);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, pools), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
      });
    case 'object':
      return objects(schema, pools);
    default:
      return fc.jsonValue();
  }
};
