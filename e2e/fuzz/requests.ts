import fc from 'fast-check';
import type { Caller } from '../src/world.ts';
import { type Credentials, sign } from './credentials.ts';
import type { Operation } from './operations.ts';
import { poolsOf, type Stage } from './pools.ts';
import type { WireRequest } from './send.ts';
import { type Draft, makeHostile, makeLong, nearlyValid, type Pick } from './spoil.ts';
import { valuesOf } from './values.ts';

export const kinds = ['valid', 'near-valid', 'hostile', 'long'] as const;
export type Kind = (typeof kinds)[number];

export interface Turn {
  operation: Operation;
  caller: Caller;
  kind: Kind;
}

const drafts = (
  { operation, caller }: Turn,
  stage: Stage,
  { fields, body: given, headers }: Credentials,
): fc.Arbitrary<Draft> => {
  const pools = { ...poolsOf(stage, operation.name, caller), ...fields };
  const parameters = (place: 'path' | 'query') => {
    const some = operation.parameters.filter((each) => each.in === place);
    const properties = Object.fromEntries(some.map(({ name, schema }) => [name, schema]));
    const required = some.filter((each) => each.required).map(({ name }) => name);
    return valuesOf({ type: 'object', properties, required }, pools) as fc.Arbitrary<Draft['path']>;
  };
  const media = Object.keys(operation.bodies);
  const bodies = media.map((type) =>
    (given ?? valuesOf(operation.bodies[type]?.schema ?? {}, pools)).map((body) => ({
      media: type,
      body,
    })),
  );
  const content =
    bodies.length > 0 ? fc.oneof(...bodies) : fc.constant({ media: undefined, body: undefined });
  return fc
    .record({ path: parameters('path'), query: parameters('query'), content })
    .map(({ path, query, content: { media: type, body } }) => ({
      path: structuredClone(path),
      query: structuredClone(query),
      rawPath: {},
      headers: { ...headers },
      media: type,
      body: structuredClone(body),
      rawBody: undefined,
    }));
};

/** Drafts a request. A seed reproduces it, except for credentials that work only once. */
export const draftRequest = (
  turn: Turn,
  { stage, credentials, seed }: { stage: Stage; credentials: Credentials; seed: number },
): Draft => {
  const [draft] = fc.sample(drafts(turn, stage, credentials), { numRuns: 1, seed }) as [Draft];
  const numbers = fc.sample(fc.nat(), { numRuns: 30, seed: seed + 1 });
  let drawn = 0;
  const pick: Pick = (values) => {
    drawn += 1;
    return values[
      (numbers[drawn % numbers.length] as number) % values.length
    ] as (typeof values)[number];
  };
  if (turn.kind === 'near-valid') nearlyValid(draft, turn.operation, pick);
  if (turn.kind === 'hostile') makeHostile(draft, turn.operation, pick);
  if (turn.kind === 'long') makeLong(draft, turn.operation, pick);
  return draft;
};

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const pathOf = ({ path }: Operation, draft: Draft): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const raw = draft.rawPath[name];
    // Send a space for an empty value: an empty path segment would change the route.
    return raw ?? encodeURIComponent(asText(draft.path[name]).toWellFormed() || ' ');
  });

const queryOf = ({ query }: Draft): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, asText(each).toWellFormed()]),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs as string[][])}` : '';
};

const asForm = (body: unknown): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(body as Record<string, unknown>)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each instanceof Uint8Array)
        form.append(name, new Blob([new Uint8Array(each)]), '../../evil.png');
      else form.append(name, asText(each));
    }
  }
  return form;
};

const encodeBody = async (draft: Draft): Promise<{ type?: string; bytes?: Buffer }> => {
  if (draft.rawBody) return { bytes: draft.rawBody };
  if (draft.media === undefined) return {};
  if (draft.media !== 'multipart/form-data')
    return { type: 'application/json', bytes: Buffer.from(JSON.stringify(draft.body) ?? 'null') };
  const encoded = new Response(asForm(draft.body));
  return {
    type: encoded.headers.get('content-type') as string,
    bytes: Buffer.from(await encoded.arrayBuffer()),
  };
};

export const encode = async (
  operation: Operation,
  draft: Draft,
  token: string | undefined,
): Promise<WireRequest> => {
  const { type, bytes } = await encodeBody(draft);
  return {
    method: operation.method,
    path: pathOf(operation, draft) + queryOf(draft),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(type && { 'content-type': type }),
      ...sign(operation.name, bytes),
      ...draft.headers,
    },
    body: bytes,
  };
};
