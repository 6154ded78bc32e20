/** What happened in the neighbourhood: who rented what from whom, what they wrote, how it ended. */
export interface Story {
  renter: string;
  tool: string;
  /** Days from today on which it begins, and how many days it lasts. */
  startsIn: number;
  days: number;
  message: string;
  reply: string;
  /** Only what has begun can be reviewed. */
  review?: { stars: number; comment: string };
  /** Returned and on offer again. */
  isReturned: boolean;
}

export const stories: Story[] = [
  {
    ...{ renter: 'maya', tool: 'SDS Hammer Drill', startsIn: 0, days: 1 },
    message: 'Hi Sam! Is the 8 mm bit in the case? I am putting up shelves in a brick wall.',
    reply: 'It is, and I put a second one in. Ring the side door, the front bell is broken.',
    review: {
      stars: 5,
      comment:
        'Eight holes in old brick in ten minutes. Clean, complete, and Sam showed me the depth stop.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'ruth', tool: 'SDS Hammer Drill', startsIn: 0, days: 1 },
    message: 'Could I pick it up around nine?',
    reply: 'Nine is perfect, coffee will be on.',
    review: {
      stars: 4,
      comment: 'Strong machine, a bit heavy for me above my head. Would borrow again.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'theo', tool: 'Self-Propelled Lawn Mower', startsIn: 0, days: 1 },
    message: 'My parents’ lawn is a jungle. Does it handle tall grass?',
    reply: 'Set it to the highest step first, then go over it again. Both batteries are full.',
    review: { stars: 5, comment: 'Cut grass up to my knees. Quiet enough for a Sunday morning.' },
    isReturned: true,
  },
  {
    ...{ renter: 'maya', tool: 'Extension Ladder, 24 ft', startsIn: 3, days: 2 },
    message: 'I have a small hatchback. Will it fit on the roof?',
    reply: 'With my straps it will. I help you load it, it is awkward alone.',
    isReturned: false,
  },
  {
    ...{ renter: 'priya', tool: 'Tandem Kayak', startsIn: 0, days: 2 },
    message: 'We are visiting for the weekend. Are there vests for two adults?',
    reply: 'Two adult vests and a dry bag. Put in at the ramp by the park, parking is free there.',
    review: {
      stars: 5,
      comment: 'The best part of our trip. Theo even tied it to the car for us.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'walt', tool: 'Full HD Projector and Screen', startsIn: 0, days: 1 },
    message: 'Does it connect to a phone without a cable?',
    reply: 'Yes, and there is a cable in the bag for when it does not feel like it.',
    review: {
      stars: 3,
      comment: 'Great picture, but one of the screen’s legs was loose. Priya answered right away.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'joan', tool: 'Four-Person Tent', startsIn: 0, days: 3 },
    message: 'First time camping with kids. Anything that I should know?',
    reply: 'Practice in the yard once, and bring the little broom. You will love it.',
    review: {
      stars: 5,
      comment: 'Dry through two nights of rain. The kids do not want to sleep indoors any more.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'eli', tool: 'Appliance Hand Truck', startsIn: 0, days: 1 },
    message: 'Moving a washer down two flights on Saturday.',
    reply: 'Strap it high and go backwards. The blankets are in the stairwell.',
    review: { stars: 4, comment: 'Did the job without a scratch. Tires could use some air.' },
    isReturned: true,
  },
  {
    ...{ renter: 'maya', tool: 'Wheelbarrow, 6 cu ft', startsIn: 0, days: 2 },
    message: 'Two yards of mulch are on their way!',
    reply: 'Take both if you have a friend. Side gate is open.',
    review: {
      stars: 5,
      comment: 'A wheelbarrow is a wheelbarrow, but this one rolls like a dream.',
    },
    isReturned: false,
  },
  {
    ...{ renter: 'sam', tool: 'Kettle Grill with Rotisserie', startsIn: 5, days: 1 },
    message: 'In Atlanta for a family reunion of thirty. Is one bag of oak enough?',
    reply: 'Take two. And tell me how the chicken was.',
    isReturned: false,
  },
];
