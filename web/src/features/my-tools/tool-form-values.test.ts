import { describe, expect, it } from '@jest/globals';
import type { Terms, Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { buildTool } from '../../../test/people-and-tools.ts';
import { movePicture, toFormData, toValues } from './tool-form-values.ts';

const tool = buildTool({ image2: '/api/images/tools-ef-640.webp' });
const values = toValues(tool);
const [cover = null, one = null, two = null] = values.pictures;
const file = new File(['x'], 'new.png', { type: 'image/png' });

function sent(pictures: typeof values.pictures, of: typeof tool | null = tool) {
  const form = toFormData({ ...values, pictures }, of);
  return {
    order: form.getAll('imageOrder'),
    removed: form.getAll('removeImages'),
    files: ['cover_image', 'image1', 'image2', 'image3', 'image4'].filter((name) => form.has(name)),
  };
}

const nothing = { order: [], removed: [], files: [] };

describe('the form of a tool with pictures', () => {
  it('sends no pictures if nothing has changed', () => {
    expect(sent(values.pictures)).toEqual(nothing);
  });

  it('sends the pictures in their new order', () => {
    expect(sent([two, cover, one, null, null])).toEqual({
      ...nothing,
      order: ['image2', 'cover_image', 'image1', 'image3', 'image4'],
    });
  });

  it('removes, replaces and moves pictures', () => {
    expect(sent([cover, null, two, null, null])).toEqual({ ...nothing, removed: ['image1'] });
    expect(sent([file, one, two, null, null])).toEqual({ ...nothing, files: ['cover_image'] });
    expect(sent([file, cover, two, null, null])).toEqual({
      order: ['image1', 'cover_image', 'image2', 'image3', 'image4'],
      removed: [],
      files: ['cover_image'],
    });
    // `image1` was removed, so `image2` moved up: the form swaps the two fields and then empties `image2`.
    expect(sent([cover, two, null, null, null])).toEqual({
      order: ['cover_image', 'image2', 'image1', 'image3', 'image4'],
      removed: ['image2'],
      files: [],
    });
  });

  it('sends every picture of a new tool as a file, never as a stored path', () => {
    expect(sent([file, null, file, null, null], null)).toEqual({
      ...nothing,
      files: ['cover_image', 'image2'],
    });
  });
});

describe('movePicture', () => {
  it('shifts the other pictures, and leaves no gap', () => {
    expect(movePicture([cover, one, two, null, null], 2, 0)).toEqual([two, cover, one, null, null]);
    expect(movePicture([cover, one, two, null, null], 0, 1)).toEqual([one, cover, two, null, null]);
    expect(movePicture([cover, null, two, null, null], 0, 4)).toEqual([
      two,
      cover,
      null,
      null,
      null,
    ]);
    expect(movePicture([null, one, null, null, null], 1, 0)).toEqual([one, null, null, null, null]);
  });
});

describe('the form of a tool with blocked days', () => {
  it('drops blocked days once they are past at the tool’s place', () => {
    const today = localDate(tool.timeZone, Date.now());
    const over = { from: '2026-01-01', to: laterDay(today, -1) };
    const last = { from: '2026-01-01', to: today, note: 'Family' };
    const blockedOf = (blocked: (typeof over)[]) =>
      JSON.parse(toValues(buildTool({ terms: { buffer: 1, blocked } })).terms);

    expect(blockedOf([over, last])).toMatchObject({ buffer: 1, blocked: [last] });
    // An empty list must be sent: without it the server would keep the stored one.
    expect(blockedOf([over])).toMatchObject({ buffer: 1, blocked: [] });
  });

  it('does not send the terms if only past days were dropped', () => {
    const blocked = [{ from: '2026-01-01', to: '2026-01-02' }];
    const over = buildTool({ terms: { staysListed: true, blocked } });

    expect(toFormData(toValues(over), over).has('terms')).toBe(false);
  });
});

describe('the form’s choice whether a booked tool stays listed', () => {
  const sentTerms = (tool: Tool) => {
    const text = toFormData(toValues(tool), tool).get('terms');
    return text === null ? 'none' : JSON.parse(String(text));
  };

  it.each<[string, Terms | null, unknown]>([
    ['sends it for a tool without terms', null, { staysListed: true }],
    ['adds it to terms without it', { buffer: 1 }, { staysListed: true, buffer: 1 }],
    ['keeps it', { staysListed: true }, 'none'],
    ['keeps it turned off', { staysListed: false }, 'none'],
  ])('%s', (_what, terms, expected) => {
    expect(sentTerms(buildTool({ terms }))).toEqual(expected);
  });

  it('is on for a new tool', () => {
    expect(toFormData(toValues(null), null).get('terms')).toBe('{"staysListed":true}');
  });
});
