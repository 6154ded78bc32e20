/** The demo's rentals in chronological order: who rents what, their messages, and how it ends. */
export interface Story {
  renter: string;
  tool: string;
  /** Days from today until the start; negative for past and current rentals. */
  startsIn: number;
  /** Length in days; 0 for tools rented by the hour. */
  days: number;
  /** Start and end time; must be times that the site's form offers. */
  from: string;
  until: string;
  message: string;
  reply: string;
  /** Only rentals that have begun can be reviewed. */
  review?: { stars: number; comment: string };
  /** Whether the renter returned the tool and the owner lists it again. */
  isReturned: boolean;
  /** A problem that the owner reports after the return. It blocks completion until an admin settles it. */
  problem?: string;
  /** Whether the renter disputes the payment with their bank after the rental. */
  isDisputed?: boolean;
  /** Whether it is a request that still waits for the owner's answer. It has no messages. */
  isRequest?: boolean;
}

export const stories: Story[] = [
  {
    ...{ renter: 'maya', tool: 'SDS Hammer Drill', startsIn: -15, days: 1 },
    ...{ from: '9.00 AM', until: '9.00 AM' },
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
    ...{ renter: 'theo', tool: 'Self-Propelled Lawn Mower', startsIn: -14, days: 1 },
    ...{ from: '10.00 AM', until: '10.00 AM' },
    message: 'My parents’ lawn is a jungle. Does it handle tall grass?',
    reply: 'Set it to the highest step first, then go over it again. Both batteries are full.',
    review: { stars: 5, comment: 'Cut grass up to my knees. Quiet enough for a Sunday morning.' },
    isReturned: true,
  },
  {
    ...{ renter: 'priya', tool: 'Tandem Kayak', startsIn: -13, days: 2 },
    ...{ from: '8.00 AM', until: '6.00 PM' },
    message: 'The weekend will be warm. Are there vests for two adults?',
    reply: 'Two adult vests and a dry bag. Put in at the ramp by the park, parking is free there.',
    review: {
      stars: 5,
      comment: 'The best part of our weekend. Theo even tied it to the car for us.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'walt', tool: 'Full HD Projector and Screen', startsIn: -12, days: 1 },
    ...{ from: '5.00 PM', until: '10.00 AM' },
    message: 'Does it connect to a phone without a cable?',
    reply: 'Yes, and there is a cable in the bag for when it does not feel like it.',
    review: {
      stars: 3,
      comment: 'Great picture, but one of the screen’s legs was loose. Priya answered right away.',
    },
    isReturned: true,
    isDisputed: true,
  },
  {
    ...{ renter: 'joan', tool: 'Four-Person Tent', startsIn: -12, days: 3 },
    ...{ from: '3.00 PM', until: '3.00 PM' },
    message: 'First time camping with kids. Anything that I should know?',
    reply: 'Practice in the yard once, and bring the little broom. You will love it.',
    review: {
      stars: 5,
      comment: 'Dry through two nights of rain. The kids do not want to sleep indoors any more.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'eli', tool: 'Appliance Hand Truck', startsIn: -11, days: 1 },
    ...{ from: '8.00 AM', until: '8.00 AM' },
    message: 'Moving a washer down two flights on Saturday.',
    reply: 'Strap it high and go backwards. The blankets are in the stairwell.',
    review: { stars: 4, comment: 'Did the job without a scratch. Tires could use some air.' },
    isReturned: true,
  },
  {
    ...{ renter: 'walt', tool: 'Portable Generator, 2200 W', startsIn: -10, days: 3 },
    ...{ from: '6.30 PM', until: '6.30 PM' },
    message: 'Would it run a small freezer and a router?',
    reply: 'Both, with power to spare. The gas can is full.',
    review: { stars: 5, comment: 'Three days without power and the ice cream survived.' },
    isReturned: true,
  },
  {
    ...{ renter: 'sam', tool: 'Solar Power Station', startsIn: -9, days: 2 },
    ...{ from: '9.30 AM', until: '5.00 PM' },
    message: 'Does it fit in a carry-on?',
    reply: 'The panel does, the battery rides in the trunk.',
    review: { stars: 4, comment: 'Kept the cooler cold all weekend. The cable could be longer.' },
    isReturned: true,
  },
  {
    ...{ renter: 'eli', tool: "Mechanic's Wrench Set, 94 Pieces", startsIn: -9, days: 1 },
    ...{ from: '11.00 AM', until: '11.00 AM' },
    message: 'Do you have a 19 mm deep socket?',
    reply: 'Third row, left. It is the shiny one.',
    review: {
      stars: 5,
      comment: 'Every piece was there and clean. Changed my brakes on his driveway!',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'maya', tool: 'Framing Hammer and Pry Bar', startsIn: -8, days: 1 },
    ...{ from: '8.30 AM', until: '8.30 AM' },
    message: 'Taking down an old deck this weekend.',
    reply: 'Wear the thick gloves, those nails bite.',
    review: {
      stars: 5,
      comment: 'A real old-school hammer. Ruth told me how to pull nails without splitting boards.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'priya', tool: 'Laser Measure and Level Kit', startsIn: -8, days: 1 },
    ...{ from: '1.00 PM', until: '1.00 PM' },
    message: 'Can I hang a gallery wall with it?',
    reply: 'That is what I bought it for.',
    review: {
      stars: 4,
      comment: 'Straightest wall in the house. Took me a while to find the off switch.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'ruth', tool: 'Splitting Axe and Wedges', startsIn: -7, days: 1 },
    ...{ from: '10.00 AM', until: '4.00 PM' },
    message: 'My nephew will use it, he is careful.',
    reply: 'Tell him to let the weight do the work.',
    review: { stars: 5, comment: 'One tree, two afternoons, a full shed.' },
    isReturned: true,
  },
  {
    ...{ renter: 'joan', tool: 'Garden Digging Set', startsIn: -7, days: 1 },
    ...{ from: '9.00 AM', until: '9.00 AM' },
    message: 'Raised beds at the school garden.',
    reply: 'Keep it an extra day if the kids need it.',
    review: { stars: 5, comment: 'Twelve kids and not one broken handle.' },
    isReturned: true,
  },
  {
    ...{ renter: 'maya', tool: 'Post Hole Digger and Fence Kit', startsIn: -6, days: 1 },
    ...{ from: '8.00 AM', until: '5.00 PM' },
    message: 'How deep do I go for a gate post?',
    reply: 'Thirty inches, and gravel at the bottom.',
    review: { stars: 4, comment: 'Hard work, straight fence. Ruth lent me her level as well.' },
    isReturned: true,
  },
  {
    ...{ renter: 'theo', tool: 'Extension Ladder, 24 ft', startsIn: -6, days: 1 },
    ...{ from: '8.00 AM', until: '8.00 AM' },
    message: 'My parents’ gutters again. Is eight in the morning fine?',
    reply: 'The stabilizer is already on it.',
    review: { stars: 5, comment: 'Felt safe the whole way up.' },
    isReturned: true,
  },
  {
    ...{ renter: 'ruth', tool: 'SDS Hammer Drill', startsIn: -5, days: 1 },
    ...{ from: '9.00 AM', until: '9.00 AM' },
    message: 'Could I pick it up around nine?',
    reply: 'Nine is perfect, coffee will be on.',
    review: {
      stars: 4,
      comment: 'Strong machine, a bit heavy for me above my head. Would borrow again.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'theo', tool: 'Airless Paint Sprayer', startsIn: -5, days: 1 },
    ...{ from: '9.00 AM', until: '6.00 PM' },
    message: 'Is it loud? I have close neighbors.',
    reply: 'Like a vacuum cleaner. Start after nine.',
    review: { stars: 3, comment: 'Fast, but cleaning it took longer than painting.' },
    isReturned: true,
  },
  {
    ...{ renter: 'sam', tool: 'Backyard Telescope', startsIn: -4, days: 1 },
    ...{ from: '7.00 PM', until: '11.00 AM' },
    message: 'We are hoping to see Saturn.',
    reply: 'After eight, look south. The map is in the lid.',
    review: {
      stars: 5,
      comment: 'My daughter saw the rings and has not stopped talking about it.',
    },
    isReturned: true,
  },
  {
    ...{ renter: 'ruth', tool: 'Roller and Tray Kit', startsIn: -4, days: 1 },
    ...{ from: '9.30 AM', until: '9.30 AM' },
    message: 'Just the hallway, one day.',
    reply: 'New sleeves are in the bag.',
    review: { stars: 5, comment: 'Everything in one bag, even the drop cloths.' },
    isReturned: true,
  },
  {
    ...{ renter: 'maya', tool: 'Electric Cargo Bike', startsIn: -3, days: 0 },
    ...{ from: '10.00 AM', until: '2.00 PM' },
    message: 'Can two kids sit in the box?',
    reply: 'Two kids and a dog. Helmets are on the hook.',
    review: { stars: 5, comment: 'Groceries, kids, hills: no problem. We want our own now.' },
    isReturned: true,
  },
  {
    ...{ renter: 'priya', tool: 'PA Speaker with Two Microphones', startsIn: -3, days: 1 },
    ...{ from: '2.00 PM', until: '2.00 PM' },
    message: 'For a wedding toast, about eighty guests.',
    reply: 'More than enough. Press the blue button first.',
    review: { stars: 4, comment: 'Clear sound all evening, and the karaoke was unforgettable.' },
    isReturned: true,
  },
  {
    ...{ renter: 'joan', tool: 'Pressure Washer, 2000 PSI', startsIn: -2, days: 1 },
    ...{ from: '9.00 AM', until: '9.00 AM' },
    message: 'The north side of our deck is green. Which nozzle do I start with?',
    reply: 'The white one, an arm’s length away. Wear shoes that may get wet.',
    review: {
      stars: 5,
      comment: 'The deck looks new, and so does the driveway. Now the neighbors ask.',
    },
    isReturned: true,
    problem:
      'The wand leaks at the handle since it came back. A new one is $38. Joan says that it leaked before.',
  },
  {
    ...{ renter: 'maya', tool: 'Wheelbarrow, 6 cu ft', startsIn: -1, days: 3 },
    ...{ from: '10.00 AM', until: '10.00 AM' },
    message: 'Two yards of mulch are on their way!',
    reply: 'Take both if you have a friend. Side gate is open.',
    review: {
      stars: 5,
      comment: 'A wheelbarrow is a wheelbarrow, but this one rolls like a dream.',
    },
    isReturned: false,
  },
  {
    ...{ renter: 'maya', tool: 'Extension Ladder, 24 ft', startsIn: 3, days: 2 },
    ...{ from: '9.00 AM', until: '6.00 PM' },
    message: 'I have a small hatchback. Will it fit on the roof?',
    reply: 'With my straps it will. I help you load it, it is awkward alone.',
    isReturned: false,
  },
  {
    ...{ renter: 'maya', tool: 'Tile Saw', startsIn: 4, days: 2 },
    ...{ from: '9.00 AM', until: '9.00 AM' },
    ...{ message: '', reply: '' },
    isReturned: false,
    isRequest: true,
  },
  {
    ...{ renter: 'sam', tool: 'Kettle Grill with Rotisserie', startsIn: 5, days: 1 },
    ...{ from: '11.00 AM', until: '11.00 AM' },
    message: 'A family reunion of thirty is coming. Is one bag of oak enough?',
    reply: 'Take two. And tell me how the chicken was.',
    isReturned: false,
  },
];
