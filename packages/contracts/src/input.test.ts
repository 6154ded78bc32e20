import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

interface Part {
  path: string;
  schema: z.core.$ZodType;
}

/** The parts of zod's internal definition that this test reads. */
interface Definition {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
  checks?: z.core.$ZodCheck[];
}

const definitionOf = (schema: z.core.$ZodType): Definition =>
  schema._zod.def as unknown as Definition;

/** Returns a schema and, recursively, its parts. */
const partsOf = ({ path, schema }: Part): Part[] => {
  const { shape = {}, element, innerType, in: first, out } = definitionOf(schema);
  // A transform only gets input that the schema next to it has accepted.
  const inner = [element, innerType, first, out].filter(
    (each) => each !== undefined && definitionOf(each).type !== 'transform',
  ) as z.core.$ZodType[];
  return [
    { path, schema },
    ...Object.entries(shape).flatMap(([name, field]) =>
      partsOf({ path: `${path}.${name}`, schema: field }),
    ),
    ...inner.flatMap((each) => partsOf({ path, schema: each })),
  ];
};

const inputs: Part[] = Object.entries<Route>(routes).flatMap(([name, route]) =>
  (['params', 'query', 'body'] as const).flatMap((place) => {
    const schema = route[place];
    return schema ? partsOf({ path: `${name}.${place}`, schema }) : [];
  }),
);

const checksOf = (schema: z.core.$ZodType) =>
  (definitionOf(schema).checks ?? []).map(({ _zod: { def } }) => def);

describe('API input', () => {
  it('checks the length of every text before its pattern', () => {
    const unbounded = inputs.filter(({ schema }) => {
      if (definitionOf(schema).type !== 'string') return false;
      const checks = checksOf(schema);
      const bound = checks.findIndex(({ check }) => check === 'max_length');
      const pattern = checks.findIndex(({ check }) => check === 'string_format');
      return bound < 0 || (pattern >= 0 && !(bound < pattern && checks[bound]?.abort));
    });

    expect(unbounded.map(({ path }) => path)).toEqual([]);
  });

  it('checks the length of an array before reading its items', () => {
    const read: unknown[] = [];
    const watched = (value: object) =>
      new Proxy(value, { get: (target, key) => read.push(key) && Reflect.get(target, key) });

    const parsed = routes.holdCart.body.safeParse({ lines: Array(21).fill(watched({})) });

    expect(parsed.error?.issues).toMatchObject([{ message: 'At most 20 tools at once' }]);
    expect(read).toEqual([]);
  });

  it('rejects every invalid value with a message of ours, not a zod default', () => {
    const wrong = [
      ...[undefined, null, true, 'x', '', 7, -1, 1.5, 1e12, Number.NaN],
      ...[[], [7], {}, Array(60).fill('x'), 'x'.repeat(100_000), '2026-02-30', 'a@b'],
    ];

    const withoutMessage = inputs.flatMap(({ path, schema }) =>
      wrong
        .filter((value) => {
          const { error } = z.safeParse(schema, value, { error: () => 'zod' });
          return JSON.stringify(error?.issues ?? []).includes('"message":"zod"');
        })
        .map((value) => `${path}: ${String(value).slice(0, 20)}`),
    );

    expect(withoutMessage).toEqual([]);
  });
});
