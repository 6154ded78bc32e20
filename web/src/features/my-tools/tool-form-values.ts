import type { Terms, Tool } from '@lendtools/contracts';
import { hasImage } from '@lendtools/contracts/images';
import { localDate } from '@lendtools/contracts/local-time';
import { type PickUp, pickUpRule, toPickUp } from '../../rental/pick-up.ts';
import { termsProblem } from './terms-problem.ts';

export const imageFields = ['cover_image', 'image1', 'image2', 'image3', 'image4'] as const;
type ImageFieldName = (typeof imageFields)[number];

/** A chosen file, or the field of an image that the server has stored. */
type Picture = File | { stored: ImageFieldName; path: string };

export interface ToolValues {
  name: string;
  description: string;
  categoryId: string;
  rental_circle: Tool['rental_circle'];
  price: number | '';
  quantity: number | '';
  pickUp: PickUp;
  terms: string;
  /** The first picture is the cover. */
  pictures: (Picture | null)[];
}

type TermsEdit = Record<'base' | 'mine' | 'theirs', string>;

/** Merges terms that were edited here and saved elsewhere: a term edited here wins, and blocked days are merged one by one. */
function mergeTerms(edit: TermsEdit): string {
  const [base, mine, theirs] = [edit.base, edit.mine, edit.theirs].map((text) => JSON.parse(text));
  const isChanged = (name: string) => JSON.stringify(base[name]) !== JSON.stringify(mine[name]);
  const names = Object.keys({ ...base, ...mine, ...theirs });
  const merged = Object.fromEntries(
    names.map((name) => [name, isChanged(name) ? mine[name] : theirs[name]]),
  );
  const blocks = (terms: Terms) => (terms.blocked ?? []).map((block) => JSON.stringify(block));
  const [before, now] = [blocks(base), blocks(mine)];
  const kept = blocks(theirs).filter((block) => !before.includes(block) || now.includes(block));
  const added = now.filter((block) => !before.includes(block) && !kept.includes(block));
  const blocked = [...kept, ...added].map((block) => JSON.parse(block));
  return JSON.stringify({ ...merged, ...('blocked' in merged && { blocked }) });
}

/** The fields that are stored over a reload; files cannot be stored. */
export const draftFields = {
  merges: { terms: mergeTerms },
  typed: [
    'name',
    'description',
    'categoryId',
    'rental_circle',
    'price',
    'quantity',
    'pickUp',
    'terms',
  ],
  chosen: ['pictures'],
} as const;

function storedPicture(tool: Tool | null, field: ImageFieldName): Picture | null {
  const path = tool?.[field];
  return hasImage(path) ? { stored: field, path } : null;
}

/** Drops past blocks, because the list has a limit. An emptied list must be sent, or the server keeps the stored one. */
function withoutPast({ blocked, ...others }: Terms, timeZone: string): Terms {
  const today = localDate(timeZone, Date.now());
  return blocked ? { ...others, blocked: blocked.filter(({ to }) => to >= today) } : others;
}

export function toValues(tool: Tool | null): ToolValues {
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    categoryId: tool?.categoryId ?? '',
    rental_circle: tool?.rental_circle ?? 'daily',
    price: tool?.price ?? '',
    quantity: tool?.quantity ?? 1,
    pickUp: toPickUp(tool?.pickup ?? null),
    // A tool stays listed while booked unless its owner turned that off; without this term the API unlists a booked tool.
    terms: JSON.stringify({
      staysListed: true,
      ...(tool && withoutPast(tool.terms ?? {}, tool.timeZone)),
    }),
    pictures: imageFields.map((field) => storedPicture(tool, field)),
  };
}

/** Removes the terms that count days or hours, because a switch between daily and hourly changes their meaning. */
export function withoutLengths(text: string): string {
  const { shortest, longest, buffer, ...others } = JSON.parse(text) as Terms;
  const isCounted = [shortest, longest, buffer].some((count) => count !== undefined);
  return isCounted ? JSON.stringify(others) : text;
}

/** The form's own minimum: a shorter text leaves renters with questions. The API accepts any description. */
export const shortestDescription = 20;

/** The form's own minimum for a new cover: a smaller one is blurred on the tool's page. The API accepts any picture. */
export const smallestCover = { width: 640, height: 480 };

/** Files with fewer pixels than a cover needs, as far as the browser has shown them. */
const smallFiles = new WeakSet<File>();

/** Either side may be the longer one. */
export function noteSize(file: File, width: number, height: number) {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (long < smallestCover.width || short < smallestCover.height) smallFiles.add(file);
}

function descriptionRule(text: string, tool: Tool | null) {
  const trimmed = text.trim();
  if (!trimmed) return 'Please enter a description';
  const isKept = trimmed === tool?.description.trim();
  return isKept || trimmed.length >= shortestDescription
    ? null
    : `Please describe it in at least ${shortestDescription} characters`;
}

function coverRule(cover: Picture | null | undefined, tool: Tool | null) {
  if (cover instanceof File && smallFiles.has(cover))
    return `This picture is small. Please choose a cover of at least ${smallestCover.width} × ${smallestCover.height} pixels.`;
  return cover || (tool && !hasImage(tool.cover_image)) ? null : 'Please choose a cover image';
}

/**
 * The API's rules and the form's minimums, checked before the upload. A cover is required, except for tools that were
 * listed without one; texts and pictures that are stored already need not reach the minimums.
 */
export function rulesFor(tool: Tool | null) {
  return {
    name: (name: string) => (name.trim() ? null : 'Please enter a name'),
    description: (text: string) => descriptionRule(text, tool),
    categoryId: (id: string) => (id ? null : 'Please choose a category'),
    price: (price: number | '') =>
      !price
        ? 'Please enter a price in dollars'
        : price > 100_000
          ? 'The price can be at most $100,000'
          : null,
    pickUp: pickUpRule,
    terms: (text: string, { rental_circle }: ToolValues) =>
      termsProblem(JSON.parse(text) as Terms, rental_circle),
    quantity: (quantity: number | '') => (quantity ? null : 'You need at least one unit'),
    pictures: ([cover]: ToolValues['pictures']) => coverRule(cover, tool),
  };
}

/** Moves a picture and closes the gap that it leaves. */
export function movePicture(
  pictures: ToolValues['pictures'],
  from: number,
  to: number,
): ToolValues['pictures'] {
  const others = pictures.filter((_, index) => index !== from);
  const moved = [...others.slice(0, to), pictures[from] ?? null, ...others.slice(to)];
  const filled = moved.filter((picture) => picture !== null);
  return imageFields.map((_, index) => filled[index] ?? null);
}

/** Maps each position to the stored field whose picture goes there; unused fields fill the other positions. */
function orderOf(pictures: ToolValues['pictures']): ImageFieldName[] {
  const stored = pictures.map((one) => (one && !(one instanceof File) ? one.stored : null));
  const used = new Set(stored);
  // Assign the pictures that stay in place first, so that an untouched form moves nothing.
  const kept = stored.map((name, index) => {
    const own = imageFields[index] as ImageFieldName;
    if (name || used.has(own)) return name;
    used.add(own);
    return own;
  });
  const left = imageFields.filter((field) => !used.has(field));
  return kept.map((name) => name ?? (left.shift() as ImageFieldName));
}

function setPictures(form: FormData, { pictures }: ToolValues, tool: Tool | null): void {
  const order = orderOf(pictures);
  if (order.some((field, index) => field !== imageFields[index])) {
    for (const field of order) form.append('imageOrder', field);
  }
  for (const [index, field] of imageFields.entries()) {
    const picture = pictures[index];
    const from = order[index];
    if (picture instanceof File) form.set(field, picture);
    else if (!picture && from && hasImage(tool?.[from])) form.append('removeImages', field);
  }
}

/** Sends the place only if it changed. An empty ZIP code moves the tool back to its owner's place. */
function setPickUp(form: FormData, { zip, point, isKept }: PickUp, tool: Tool | null): void {
  if (isKept) return;
  if (point) {
    form.set('pickup_lat', String(point.lat));
    form.set('pickup_lng', String(point.lng));
    form.set('pickup_zip', zip);
  } else if (tool?.pickup) form.set('pickup_zip', '');
}

const plainFields = [
  'name',
  'description',
  'categoryId',
  'rental_circle',
  'price',
  'quantity',
  'terms',
] as const;

/**
 * The multipart form of the API: all fields of a new tool, or the changed fields of an existing tool. Also sends the terms
 * of a tool that lacks `staysListed`, because the form shows its default.
 */
export function toFormData(values: ToolValues, tool: Tool | null): FormData {
  const form = new FormData();
  const opened = toValues(tool);
  const isDefault = (field: (typeof plainFields)[number]) =>
    field === 'terms' && tool?.terms?.staysListed === undefined;
  for (const field of plainFields) {
    const text = String(values[field]).trim();
    if (!tool || isDefault(field) || text !== String(opened[field])) form.set(field, text);
  }
  form.set('item_status', 'Available');
  setPickUp(form, values.pickUp, tool);
  setPictures(form, values, tool);
  return form;
}
