import { mostMilesFromCity, mostSavedTools } from '@lendtools/contracts';
import { AppError, notFound } from '@lendtools/service-kit';

export const toolNotFound = () =>
  notFound('TOOL_NOT_FOUND', 'This tool is no longer on LendTools.');

export const toolHasBookings = () =>
  new AppError(
    'TOOL_HAS_BOOKINGS',
    'Somebody has booked this tool or is about to. You can delete it once every booking is returned or cancelled.',
  );

export const tooManyTools = (most: number) =>
  new AppError(
    'TOO_MANY_TOOLS',
    `You can have at most ${most} tools on LendTools. Please delete one first.`,
  );

export const tooManySavedTools = () =>
  new AppError(
    'TOO_MANY_SAVED_TOOLS',
    `You can save at most ${mostSavedTools} tools. Please take one off first.`,
  );

export const ownerUnknown = () =>
  new AppError(
    'OWNER_UNKNOWN',
    'We’re still setting up your account. Please try again in a moment.',
  );

export const addressMissing = () =>
  new AppError(
    'ADDRESS_MISSING',
    'Please add your address first: renters need to know where to pick the tool up.',
    { path: 'address' },
  );

export const categoryNotFound = () =>
  new AppError('CATEGORY_NOT_FOUND', 'This category does not exist. Please choose another.', {
    path: 'categoryId',
  });

export const categoryExists = () =>
  new AppError('CATEGORY_EXISTS', 'A category with this name already exists.', {
    path: 'name',
  });

export const categoryInUse = () =>
  new AppError(
    'CATEGORY_IN_USE',
    'Some tools are in this category. It can be deleted once they are moved or gone.',
  );

export const placeTooFar = (city: string) =>
  new AppError(
    'PLACE_TOO_FAR',
    `This place is more than ${mostMilesFromCity} miles from ${city}, where you live. Please check it, or change the city in your settings.`,
    { path: 'pickup_zip' },
  );

export const placeMissing = () =>
  new AppError('PLACE_MISSING', 'Please share where you are to search near you.', {
    path: 'lat',
  });
