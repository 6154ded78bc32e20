import type { User as ApiUser, EventData, Role } from '@lendtools/contracts';
import { isClosed } from './deletion.ts';

export interface User {
  id: string;
  version: number;
  role: Role;
  userName: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  passwordHash: string;
  country: string;
  state: string;
  city: string;
  address: string;
  image: string;
  lat: number;
  lng: number;
  timeZone: string;
  zip: string;
  placeAccuracy: 'city' | 'area';
  disabledAt: Date | null;
  deletionDueAt: Date | null;
  deletedAt: Date | null;
  emailVerifiedAt: Date | null;
  createdAt: Date;
}

export const toApiUser = (user: User): ApiUser => ({
  id: user.id,
  role: user.role,
  user_name: user.userName,
  first_name: user.firstName,
  last_name: user.lastName,
  email: user.email,
  phone: user.phone,
  country: user.country,
  state: user.state,
  city: user.city,
  address: user.address,
  image: user.image,
  zip: user.zip,
  placeAccuracy: user.placeAccuracy,
  emailVerified: user.emailVerifiedAt !== null,
  disabled: user.disabledAt !== null && !isClosed(user),
  ...(isClosed(user) && { deletionDueAt: user.deletionDueAt.toISOString() }),
  revision: user.version,
  createdAt: user.createdAt.toISOString(),
});

/** A role in events. Replicas of 1.0 know only members and administrators. */
export const toEventRole = (role: Role): Pick<EventData<'RoleChanged'>, 'role' | 'adminRole'> =>
  role === 'User' || role === 'Admin' ? { role } : { role: 'User', adminRole: role };

/** The part of a user that other services store. */
export const toProfile = (user: User): EventData<'AccountRegistered'> => ({
  userId: user.id,
  ...toEventRole(user.role),
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  image: user.image,
  country: user.country,
  state: user.state,
  city: user.city,
  address: user.address,
  lat: user.lat,
  lng: user.lng,
  timeZone: user.timeZone,
  placeAccuracy: user.placeAccuracy,
  emailVerified: user.emailVerifiedAt !== null,
});
