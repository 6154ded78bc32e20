import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

interface Part {
  path: string;
  schema: z.core.$ZodType;
}

/** What zod knows of a schema, of whatever kind. */
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

/** A schema and all that it is made of. */
const partsOf = ({ path, schema }: Part): Part[] => {
  const { shape = {}, element, innerType, in: first, out } = definitionOf(schema);
  // A transform is no schema of its own: it gets what its neighbor has let through.
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

describe('what comes from outside', () => {
  it('is bounded in length before a pattern meets it', () => {
    const unbounded = inputs.filter(({ schema }) => {
      if (definitionOf(schema).type !== 'string') return false;
      const checks = checksOf(schema);
      const bound = checks.findIndex(({ check }) => check === 'max_length');
      const pattern = checks.findIndex(({ check }) => check === 'string_format');
      return bound < 0 || (pattern >= 0 && !(bound < pattern && checks[bound]?.abort));
    });

    expect(unbounded.map(({ path }) => path)).toEqual([]);
  });

  it('is bounded in number before its items are looked at', () => {
    const read: unknown[] = [];
    const watched = (value: object) =>
      new Proxy(value, { get: (target, key) => read.push(key) && Reflect.get(target, key) });

    const parsed = routes.holdCart.body.safeParse({ lines: Array(21).fill(watched({})) });

    expect(parsed.error?.issues).toMatchObject([{ message: 'At most 20 tools at once' }]);
    expect(read).toEqual([]);
  });

  it('is refused in words of its own', () => {
    const wrong = [
      ...[undefined, null, true, 'x', '', 7, -1, 1.5, 1e12, Number.NaN],
      ...[[], [7], {}, Array(60).fill('x'), 'x'.repeat(100_000), '2026-02-30', 'a@b'],
    ];

    const wordless = inputs.flatMap(({ path, schema }) =>
      wrong
        .filter((value) => {
          const { error } = z.safeParse(schema, value, { error: () => 'zod' });
          return JSON.stringify(error?.issues ?? []).includes('"message":"zod"');
        })
        .map((value) => `${path}: ${String(value).slice(0, 20)}`),
    );

    expect(wordless).toEqual([]);
  });
});
