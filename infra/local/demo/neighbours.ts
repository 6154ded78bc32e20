import type { Look } from './draw-pictures.ts';

export interface Neighbour {
  key: string;
  firstName: string;
  lastName: string;
  city: string;
  state: string;
  address: string;
  phone: string;
  look: Look;
}

const skins = {
  light: '#f3cfb3',
  tan: '#e0ac85',
  olive: '#c68f64',
  brown: '#9a6540',
  dark: '#6b4229',
};

/** The people of the demo. Sam is the owner to log in as, Maya the renter. */
export const neighbours: Neighbour[] = [
  {
    ...{ key: 'sam', firstName: 'Sam', lastName: 'Okafor', city: 'Portland', state: 'Oregon' },
    ...{ address: '2418 SE Ankeny St', phone: '+1 503 555 0114' },
    look: look(skins.dark, '#1d1512', '#c2571a', 'beard', 'sand'),
  },
  {
    ...{ key: 'maya', firstName: 'Maya', lastName: 'Lindqvist', city: 'Portland', state: 'Oregon' },
    ...{ address: '907 NE Alberta St', phone: '+1 503 555 0127' },
    look: look(skins.light, '#c98b43', '#3f6f5f', 'long', 'sky'),
  },
  {
    ...{
      key: 'ruth',
      firstName: 'Ruth',
      lastName: 'Castellano',
      city: 'Portland',
      state: 'Oregon',
    },
    ...{ address: '5521 N Denver Ave', phone: '+1 503 555 0139' },
    look: look(skins.olive, '#8d8781', '#7a4b7c', 'bun', 'rose'),
  },
  {
    ...{ key: 'theo', firstName: 'Theo', lastName: 'Brandt', city: 'Seattle', state: 'Washington' },
    ...{ address: '1320 E Pine St', phone: '+1 206 555 0142' },
    look: look(skins.tan, '#4a2f1d', '#2f5d7c', 'short', 'teal'),
  },
  {
    ...{ key: 'priya', firstName: 'Priya', lastName: 'Raman', city: 'Austin', state: 'Texas' },
    ...{ address: '3105 Guadalupe St', phone: '+1 512 555 0158' },
    look: look(skins.brown, '#1f1a17', '#b8892b', 'long', 'amber'),
  },
  {
    ...{ key: 'walt', firstName: 'Walt', lastName: 'Nguyen', city: 'Denver', state: 'Colorado' },
    ...{ address: '742 Pearl St', phone: '+1 303 555 0163' },
    look: look(skins.tan, '#26211f', '#51697a', 'short', 'slate'),
  },
  {
    ...{ key: 'joan', firstName: 'Joan', lastName: 'Mbeki', city: 'Chicago', state: 'Illinois' },
    ...{ address: '1846 W Division St', phone: '+1 312 555 0171' },
    look: look(skins.dark, '#2b1d16', '#a6403a', 'bun', 'plum'),
  },
  {
    ...{ key: 'eli', firstName: 'Eli', lastName: 'Hoffman', city: 'Atlanta', state: 'Georgia' },
    ...{ address: '655 Highland Ave NE', phone: '+1 404 555 0186' },
    look: look(skins.light, '#9c5a2b', '#5f7a3a', 'beard', 'moss'),
  },
];

export function emailOf(key: string): string {
  return `${key}@lendtools.example`;
}

function look(
  skin: string,
  hair: string,
  ...[shirt, hairStyle, palette]: [string, Look['hairStyle'], Look['palette']]
): Look {
  return { skin, hair, shirt, hairStyle, palette };
}
