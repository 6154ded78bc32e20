export interface Neighbor {
  key: string;
  firstName: string;
  lastName: string;
  city: string;
  state: string;
  address: string;
  phone: string;
  zip: string;
}

/** The demo's people live around one city, so that they can rent from each other. Sam is the owner, Maya the renter. */
export const neighbors: Neighbor[] = [
  {
    key: 'sam',
    firstName: 'Sam',
    lastName: 'Okafor',
    city: 'Portland',
    state: 'Oregon',
    address: '2418 SE Ankeny St',
    zip: '97214',
    phone: '+1 503 555 0114',
  },
  {
    key: 'maya',
    firstName: 'Maya',
    lastName: 'Lindqvist',
    city: 'Portland',
    state: 'Oregon',
    address: '907 NE Alberta St',
    zip: '97211',
    phone: '+1 503 555 0127',
  },
  {
    key: 'ruth',
    firstName: 'Ruth',
    lastName: 'Castellano',
    city: 'Portland',
    state: 'Oregon',
    address: '5521 N Denver Ave',
    zip: '97217',
    phone: '+1 503 555 0139',
  },
  {
    key: 'theo',
    firstName: 'Theo',
    lastName: 'Brandt',
    city: 'Vancouver',
    state: 'Washington',
    address: '1320 E 20th St',
    zip: '98661',
    phone: '+1 360 555 0142',
  },
  {
    key: 'priya',
    firstName: 'Priya',
    lastName: 'Raman',
    city: 'Beaverton',
    state: 'Oregon',
    address: '3105 SW Hall Blvd',
    zip: '97005',
    phone: '+1 503 555 0158',
  },
  {
    key: 'walt',
    firstName: 'Walt',
    lastName: 'Nguyen',
    city: 'Lake Oswego',
    state: 'Oregon',
    address: '742 2nd St',
    zip: '97034',
    phone: '+1 503 555 0163',
  },
  {
    key: 'joan',
    firstName: 'Joan',
    lastName: 'Mbeki',
    city: 'Gresham',
    state: 'Oregon',
    address: '846 NE Division St',
    zip: '97030',
    phone: '+1 503 555 0171',
  },
  {
    key: 'eli',
    firstName: 'Eli',
    lastName: 'Hoffman',
    city: 'Milwaukie',
    state: 'Oregon',
    address: '10655 SE 21st Ave',
    zip: '97222',
    phone: '+1 503 555 0186',
  },
];

export function emailOf(key: string): string {
  return `${key}@lendtools.example`;
}
