import {
  IconCalendarCheck,
  IconCreditCard,
  IconHeartHandshake,
  IconLeaf,
  IconPigMoney,
  type IconProps,
  IconSearch,
  IconShieldCheck,
  IconStar,
  IconTool,
  IconUserCheck,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

export interface Point {
  title: string;
  text: string;
  icon: ComponentType<IconProps>;
}

export const steps: Point[] = [
  {
    title: 'Find the tool',
    text: 'Search by name, by category or by distance, and see what neighbors lend around you.',
    icon: IconSearch,
  },
  {
    title: 'Book and pay',
    text: 'Pick your dates and see the price line by line. You pay by card; the dates are yours.',
    icon: IconCalendarCheck,
  },
  {
    title: 'Pick up, use, return',
    text: 'Agree on a time in the messages, do your project, bring the tool back and leave a review.',
    icon: IconTool,
  },
];

export const benefits: Point[] = [
  {
    title: 'Save money',
    text: 'A day with a tile saw costs less than its blade. Rent what you need once.',
    icon: IconPigMoney,
  },
  {
    title: 'Earn from your shelf',
    text: 'The pressure washer in your garage can pay for itself while you are not using it.',
    icon: IconHeartHandshake,
  },
  {
    title: 'Waste less',
    text: 'One good drill for a whole street means fewer cheap ones in the landfill.',
    icon: IconLeaf,
  },
  {
    title: 'Know your neighbors',
    text: 'A borrowed ladder often comes with advice, and sometimes with a helping hand.',
    icon: IconUsersGroup,
  },
];

interface Testimonial {
  quote: string;
  name: string;
  about: string;
}

export const testimonials: Testimonial[] = [
  {
    quote:
      'I needed a hammer drill for four holes. I had it twenty minutes later, from three doors down.',
    name: 'Maya R.',
    about: 'Renter in Portland, Oregon',
  },
  {
    quote:
      'My tile saw has been on eleven bathrooms since I listed it. It has paid for itself twice.',
    name: 'Curtis B.',
    about: 'Owner in Columbus, Ohio',
  },
  {
    quote: 'We moved here knowing nobody. Lending our ladder is how we met half of the block.',
    name: 'Ana and Joel',
    about: 'Owners in Tucson, Arizona',
  },
];

export const safetyPoints: Point[] = [
  {
    title: 'Verified users',
    text: 'Look for “Email verified” beside an owner’s name: it means they have confirmed their address with us.',
    icon: IconUserCheck,
  },
  {
    title: 'Secure payments',
    text: 'Cards are handled by Stripe. If a booking falls through, you get all your money back.',
    icon: IconCreditCard,
  },
  {
    title: 'Rating system',
    text: 'Renters rate each tool after using it, so good owners and good tools stand out.',
    icon: IconStar,
  },
];

export const safetyIcon = IconShieldCheck;
